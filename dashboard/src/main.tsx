import { render } from "preact";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import { listen } from "./shell/keyboard.ts";
import { Shell } from "./shell/shell.tsx";

const page = document.getElementById("page");
if (page) render(<Shell />, page);
listen();
