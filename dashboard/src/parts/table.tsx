/** Rows of the same make. On a phone each row stands as a block of its own, its values named. */
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { words } from "../strings/words.ts";
import "./table.css";

export interface Column<T> {
  /** Empty for a column of buttons. */
  label: string;
  cell: (row: T) => ComponentChildren;
  /** Figures stand right. */
  number?: boolean;
  /** Takes what room there is. */
  wide?: boolean;
}

interface TableProps<T> {
  label: string;
  columns: Array<Column<T>>;
  rows: T[];
  rowKey: (row: T) => string | number;
  /** What a row shows when it is opened. */
  detail?: (row: T) => ComponentChildren;
}

export function Table<T>({ label, columns, rows, rowKey, detail }: TableProps<T>) {
  return (
    <div class="table">
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column, place) => (
              <th key={place} role="columnheader" scope="col" class={column.number ? "number" : ""}>
                {column.label || <span class="unseen">{words().actions}</span>}
              </th>
            ))}
            {detail && (
              <th role="columnheader" scope="col">
                <span class="unseen">{words().details}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} detail={detail} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps<T> {
  row: T;
  columns: Array<Column<T>>;
  detail: ((row: T) => ComponentChildren) | undefined;
}

function Row<T>({ row, columns, detail }: RowProps<T>) {
  const open = useSignal(false);
  return (
    <>
      <tr role="row" class={open.value ? "opened" : ""}>
        {columns.map((column, place) => (
          <td key={place} role="cell" data-label={column.label} class={`${column.number ? "number" : ""} ${column.wide ? "wide" : ""}`}>
            {column.cell(row)}
          </td>
        ))}
        {detail && (
          <td role="cell" class="table-open">
            <button type="button" class="button quiet small" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
              {open.value ? words().less : words().details}
            </button>
          </td>
        )}
      </tr>
      {detail && open.value && (
        <tr role="row" class="table-detail">
          <td role="cell" colSpan={columns.length + 1}>
            {detail(row)}
          </td>
        </tr>
      )}
    </>
  );
}
