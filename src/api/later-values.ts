import type { z } from 'zod';

/** Stands for a value that this release does not know, by the name of its field. */
const standIns: Readonly<Record<string, string>> = {
  status: 'UNKNOWN',
  kind: 'OTHER',
  category: 'OTHER',
  verificationStatus: 'UNVERIFIED',
};

/**
 * Reads an answer of a later release, given what this one finds wrong with it. Unknown fields stay. An unknown value, such
 * as another category of bans, becomes the one that says the least; where there is none, as for a metric, the entry of the
 * list is left out.
 * @returns null when something else is wrong
 */
export function readLaterValues(body: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const read: unknown = structuredClone(body);
  const leftOut = new Map<unknown[], Set<unknown>>();
  for (const { code, path } of issues) {
    if (code === 'unrecognized_keys') continue;
    const steps = stepsTo(read, path);
    const last = steps.at(-1);
    if (code !== 'invalid_value' || last === undefined || typeof last.value !== 'string') return null;
    const standIn = standIns[String(last.key)];
    const entry = steps.findLast(({ holder }) => Array.isArray(holder));
    if (standIn !== undefined) (last.holder as Record<PropertyKey, unknown>)[last.key] = standIn;
    else if (entry === undefined) return null;
    else {
      const list = entry.holder as unknown[];
      leftOut.set(list, (leftOut.get(list) ?? new Set()).add(entry.key));
    }
  }
  for (const [list, indexes] of leftOut) {
    list.splice(0, list.length, ...list.filter((_, index) => !indexes.has(index)));
  }
  return read;
}

interface Step {
  holder: unknown;
  key: PropertyKey;
  value: unknown;
}

/** The steps from a body to one of its values. */
function stepsTo(body: unknown, path: readonly PropertyKey[]): Step[] {
  let value = body;
  return path.map((key) => {
    const holder = value;
    value = (holder as Record<PropertyKey, unknown>)[key];
    return { holder, key, value };
  });
}
