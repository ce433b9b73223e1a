/** The picture of the graph as the view works with it: nodes by number, and the edges of each. */
import type { GraphNode, GraphPicture } from "../../wire.ts";

export interface GraphEdge {
  source: number;
  target: number;
  type: string;
  weight: number;
}

/** Another node, and the edge that leads to it. */
export interface Neighbour {
  node: number;
  edge: number;
  /** Whether the edge points to the neighbour. */
  outward: boolean;
}

/** What is added to a picture later: nodes by id, and edges between ids. */
export interface Addition {
  nodes: GraphNode[];
  edges: Array<{ source: string; target: string; type: string; weight: number }>;
}

export class GraphModel {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  /** The nodes from the highest rank on. */
  byRank: number[] = [];
  /** The members of each community, the highest rank first; the largest community first. */
  communities: Array<{ number: number; members: number[] }> = [];
  readonly #numbers = new Map<string, number>();
  readonly #touching: number[][] = [];

  constructor(picture: GraphPicture) {
    this.nodes = picture.nodes.slice();
    this.edges = picture.edges.slice();
    this.#index();
  }

  number(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.#numbers.get(id);
  }

  node(number: number): GraphNode {
    const found = this.nodes[number];
    if (found === undefined) throw new RangeError(`no node ${number}`);
    return found;
  }

  /** Who a node is linked with, the highest rank first; edges of hidden types do not count. */
  neighbours(number: number, hidden: ReadonlySet<string>): Neighbour[] {
    const found: Neighbour[] = [];
    for (const at of this.#touching[number] ?? []) {
      const edge = this.edges[at];
      if (edge === undefined || hidden.has(edge.type)) continue;
      const outward = edge.source === number;
      found.push({ node: outward ? edge.target : edge.source, edge: at, outward });
    }
    return found.sort((a, b) => this.node(b.node).rank - this.node(a.node).rank);
  }

  /** The edge between two nodes, whichever way it points; of the type that is asked for if there is one. */
  edgeBetween(a: number, b: number, type?: string): number | undefined {
    const all = (this.#touching[a] ?? []).filter((at) => this.edges[at]?.source === b || this.edges[at]?.target === b);
    return all.find((at) => this.edges[at]?.type === type) ?? all[0];
  }

  /** Nodes whose label contains all of the words, the highest rank first. */
  find(text: string, limit: number): number[] {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return [];
    const found: number[] = [];
    for (const number of this.byRank) {
      const label = this.node(number).label.toLowerCase();
      if (!wanted.every((word) => label.includes(word))) continue;
      found.push(number);
      if (found.length >= limit) break;
    }
    return found;
  }

  /** How many edges of each type there are, the commonest first. */
  types(): Array<{ type: string; count: number }> {
    const counts = new Map<string, number>();
    for (const { type } of this.edges) counts.set(type, (counts.get(type) ?? 0) + 1);
    return [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count);
  }

  /** Adds what is missing, and tells the numbers of the nodes and edges that are new. */
  add({ nodes, edges }: Addition): { nodes: number[]; edges: number[] } {
    const before = { nodes: this.nodes.length, edges: this.edges.length };
    for (const node of nodes) if (!this.#numbers.has(node.id)) this.#numbers.set(node.id, this.nodes.push(node) - 1);
    for (const { source, target, type, weight } of edges) {
      const [a, b] = [this.#numbers.get(source), this.#numbers.get(target)];
      if (a === undefined || b === undefined || this.#has(a, b, type)) continue;
      const at = this.edges.push({ source: a, target: b, type, weight }) - 1;
      this.#touch(a, at);
      if (a !== b) this.#touch(b, at);
    }
    this.#index();
    return { nodes: from(before.nodes, this.nodes.length), edges: from(before.edges, this.edges.length) };
  }

  #has(source: number, target: number, type: string): boolean {
    return (this.#touching[source] ?? []).some((at) => {
      const edge = this.edges[at];
      return edge?.source === source && edge.target === target && edge.type === type;
    });
  }

  #touch(node: number, edge: number): void {
    (this.#touching[node] ??= []).push(edge);
  }

  #index(): void {
    this.#touching.length = 0;
    this.nodes.forEach((node, number) => {
      this.#numbers.set(node.id, number);
      this.#touching.push([]);
    });
    this.edges.forEach(({ source, target }, at) => {
      this.#touch(source, at);
      if (target !== source) this.#touch(target, at);
    });
    this.byRank = from(0, this.nodes.length).sort((a, b) => this.node(b).rank - this.node(a).rank);
    this.#group();
  }

  #group(): void {
    const groups = new Map<number, number[]>();
    for (const number of this.byRank) {
      const { community } = this.node(number);
      if (community == null) continue;
      const members = groups.get(community);
      if (members) members.push(number);
      else groups.set(community, [number]);
    }
    this.communities = [...groups].map(([number, members]) => ({ number, members }));
    this.communities.sort((a, b) => b.members.length - a.members.length || a.number - b.number);
  }
}

function from(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}
