/** Who asks, which namespaces there are, and how the server is. */
import { signal } from "@preact/signals";
import { ask, asProblem, type PeriError } from "../api.ts";
import { namespace } from "../state.ts";
import type { Me, NamespaceStats, Numbers } from "../wire.ts";

export const me = signal<Me | undefined>(undefined);
export const namespaces = signal<NamespaceStats[]>([]);
export const trouble = signal<PeriError | undefined>(undefined);
/** True once the server has been asked for the first time. */
export const looked = signal(false);

/** Looks who asks and what there is. Called at the start, after a change of key, and now and then. */
export async function lookAround(): Promise<void> {
  try {
    me.value = await ask<Me>("GET", "/v1/me");
    const numbers = await ask<Numbers>("GET", "/v1/stats");
    namespaces.value = numbers.namespaces;
    trouble.value = undefined;
    choose();
  } catch (error) {
    trouble.value = asProblem(error);
  }
  looked.value = true;
}

/** Keeps the namespace that is looked at if it is still there, or takes the one with most in it. */
function choose(): void {
  const names = namespaces.value.map((one) => one.namespace);
  const now = namespace.value;
  if (now !== undefined && names.includes(now)) return;
  const fullest = [...namespaces.value].sort((a, b) => b.memories - a.memories)[0];
  namespace.value = fullest?.memories ? fullest.namespace : (me.value?.namespace ?? undefined);
}

/** The namespace of the sample, which is for looking at. */
export const SAMPLE = "sample";

/** Where what is written here is kept: where one looks, but never among the sample while there is a place of one's own. */
export function ownNamespace(): string | undefined {
  if (namespace.value !== SAMPLE) return namespace.value;
  const home = me.value?.namespace ?? undefined;
  if (home !== undefined && home !== SAMPLE) return home;
  return namespaces.value.map((one) => one.namespace).find((name) => name !== SAMPLE) ?? (seesAll() ? "default" : SAMPLE);
}

export const mayWrite = () => me.value !== undefined && me.value.role !== "reader" && !me.value.read_only;
export const mayRule = () => me.value?.role === "admin";
/** Whether the key opens every namespace; some figures are of the store as a whole. */
export const seesAll = () => me.value?.scope === "*";
