/** A node in words: the colour of its community and its label. */
import { isDark } from "../../state.ts";
import type { GraphNode } from "../../wire.ts";
import { communityColour, css } from "./palette.ts";

export function Swatch({ community }: { community: number | null | undefined }) {
  // Read so that it is drawn anew when the theme changes.
  void isDark.value;
  return <i class="graph-swatch" aria-hidden="true" style={{ background: css(communityColour(community)) }} />;
}

export function NodeName({ node }: { node: GraphNode }) {
  return (
    <span class="graph-name">
      <Swatch community={node.community} />
      <span>{node.label}</span>
    </span>
  );
}
