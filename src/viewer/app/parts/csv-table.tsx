import { TEXTS } from "../texts.ts";
import { csvRows } from "./csv-rows.ts";

const SHOWN = 500;

/** A file of comma-separated values as a table. */
export function CsvTable({ text }: { readonly text: string }) {
  const [head = [], ...rows] = csvRows(text);
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN && <p class="quiet small">{TEXTS.more(rows.length - SHOWN)}</p>}
    </div>
  );
}
