/** The pages of a view. Each has an address of its own, so they are links. */
import { useEffect, useRef } from "preact/hooks";
import { to } from "../route.ts";
import "./tabs.css";

interface TabsProps {
  /** What the pages are of. */
  label: string;
  view: string;
  now: string;
  /** The part of the address, its name, and a count if one should be seen. The first has no part of its own. */
  of: Array<[string, string, number?]>;
}

export function Tabs({ label, view, now, of }: TabsProps) {
  const own = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the row is wider than the screen. Only the row moves, never the page.
    const row = own.current;
    const current = row?.querySelector<HTMLElement>('[aria-current="page"]');
    if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }, [now]);
  return (
    <nav class="tabs" aria-label={label} ref={own}>
      {of.map(([part, name, count], place) => (
        <a key={part} href={to(view, place === 0 ? [] : [part])} aria-current={part === now ? "page" : undefined}>
          {name}
          {count ? <span class="tabs-count">{count}</span> : null}
        </a>
      ))}
    </nav>
  );
}
