/** Bodies by WebGL 2: one point each, all in one call. */
import type { Point } from "./model.ts";
import type { Palette } from "./palette.ts";
import type { Painter } from "./painter.ts";
import type { Scene } from "./scene.ts";
import { GLOW, INK, LIGHT, PLACE, RIM } from "./shaders.ts";

/** Numbers for each body in each frame: x, y, radius, strength. */
const MOVING = 4;
/** Numbers that stay: kind, freshness, pinned. */
const LASTING = 3;

export class GlPainter implements Painter {
  readonly name = "webgl";
  readonly canvas = document.createElement("canvas");
  readonly #gl: WebGL2RenderingContext;
  readonly #light: WebGLProgram;
  readonly #ink: WebGLProgram;
  readonly #moving: WebGLBuffer;
  readonly #lasting: WebGLBuffer;
  readonly #lost: () => void;
  #palette: Palette | undefined;
  #frame = new Float32Array(0);
  #ratio = 1;

  constructor(onLost: () => void) {
    const gl = this.canvas.getContext("webgl2", { alpha: true, antialias: false, depth: false, premultipliedAlpha: true });
    if (gl === null) throw new Error("no WebGL 2");
    this.#gl = gl;
    this.#light = program(gl, PLACE, LIGHT);
    this.#ink = program(gl, PLACE, INK);
    this.#moving = buffer(gl, 0, [2, 1, 1]);
    this.#lasting = buffer(gl, 3, [1, 1, 1]);
    this.#lost = onLost;
    this.canvas.addEventListener("webglcontextlost", this.#lost);
    gl.enable(gl.BLEND);
  }

  resize(width: number, height: number, ratio: number): void {
    this.#ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  dress(scene: Scene, palette: Palette): void {
    const gl = this.#gl;
    this.#palette = palette;
    const lasting = new Float32Array(scene.count * LASTING);
    for (let slot = 0; slot < scene.count; slot++) {
      lasting.set([scene.kind[slot]!, scene.fresh[slot]!, scene.pinned[slot]!], slot * LASTING);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#lasting);
    gl.bufferData(gl.ARRAY_BUFFER, lasting, gl.STATIC_DRAW);
    this.#frame = new Float32Array(scene.count * MOVING);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#moving);
    gl.bufferData(gl.ARRAY_BUFFER, this.#frame.byteLength, gl.DYNAMIC_DRAW);
    this.#prepare(palette, scene.count);
  }

  /** Light adds up and never overflows; ink covers. Where there are many, each shines less, or all would be white. */
  #prepare(palette: Palette, count: number): void {
    const gl = this.#gl;
    const own = palette.dark ? this.#light : this.#ink;
    gl.useProgram(own);
    const unit = (colour: readonly number[]) => colour.map((part) => part / 255);
    gl.uniform3fv(gl.getUniformLocation(own, "kinds"), palette.kinds.flatMap(unit));
    gl.uniform3fv(gl.getUniformLocation(own, "ground"), unit(palette.ground));
    gl.uniform2f(gl.getUniformLocation(own, "reach"), palette.dark ? GLOW.least : RIM, palette.dark ? GLOW.more : 0);
    gl.uniform1f(gl.getUniformLocation(own, "shine"), Math.max(0.5, Math.min(1, 1.2 - count / 14_000)));
    if (palette.dark) gl.blendFuncSeparate(gl.ONE, gl.ONE_MINUS_SRC_COLOR, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    else gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  paint(scene: Scene, sizes: Float32Array, sun: Point): void {
    const gl = this.#gl;
    const own = this.#palette?.dark ? this.#light : this.#ink;
    const frame = this.#frame;
    for (let slot = 0, at = 0; slot < scene.count; slot++) {
      frame[at++] = scene.x[slot]!;
      frame[at++] = scene.y[slot]!;
      frame[at++] = sizes[slot]!;
      frame[at++] = scene.alpha[slot]!;
    }
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#moving);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, frame);
    gl.uniform3f(gl.getUniformLocation(own, "room"), this.canvas.width / this.#ratio, this.canvas.height / this.#ratio, this.#ratio);
    gl.uniform2f(gl.getUniformLocation(own, "sun"), sun.x, sun.y);
    gl.drawArrays(gl.POINTS, 0, scene.count);
  }

  destroy(): void {
    this.canvas.removeEventListener("webglcontextlost", this.#lost);
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.remove();
  }
}

function program(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
    const shader = gl.createShader(kind);
    if (shader === null) throw new Error("no shader");
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made) ?? "not linked");
  return made;
}

/** A buffer that feeds the inputs from `first` on, one after another, each of so many numbers. */
function buffer(gl: WebGL2RenderingContext, first: number, inputs: number[]): WebGLBuffer {
  const made = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, made);
  const stride = inputs.reduce((sum, size) => sum + size, 0) * 4;
  let offset = 0;
  inputs.forEach((size, at) => {
    gl.enableVertexAttribArray(first + at);
    gl.vertexAttribPointer(first + at, size, gl.FLOAT, false, stride, offset);
    offset += size * 4;
  });
  return made;
}
