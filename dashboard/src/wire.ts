/** What the server sends and takes: the types of the client, under the names that the page knows them by. */
export type * from "perihelion-client/types.ts";
export type {
  LlmUse as LlmCalls,
  OrbitingMemory as OrbitBody,
  Orbits as OrbitPicture,
  Trace as MemoryTrace,
} from "perihelion-client/types.ts";
