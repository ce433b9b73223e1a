/** What stands behind the bodies: rings, names, the sun. Night or paper. */
import { drawNight } from "./ground_night.ts";
import { drawPaper } from "./ground_paper.ts";
import { placeCaption, writeCaption, type Caption, type ZoneText } from "./lettering.ts";
import { RINGS } from "./model.ts";
import type { Ground } from "./rings.ts";

/** Gives back the names that are to be written over the bodies, since they stand among them. */
export function drawGround(ground: Ground, zones: readonly ZoneText[]): Caption[] {
  const captions = RINGS.map((ring, at) => placeCaption(ground, ring.line, zones[at] ?? { name: "", count: "" }));
  if (ground.palette.dark) drawNight(ground, captions);
  else drawPaper(ground, captions);
  const written = captions.filter((caption) => caption !== undefined);
  for (const caption of written) if (!caption.over) writeCaption(ground, caption);
  return written.filter((caption) => caption.over);
}
