import type { SmallValue } from '../../engine/small-values.ts';

/** The bot's values in a backup of an earlier version. @returns null when the text holds none */
export function parseBotValues(text: string): SmallValue[] | null {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) && values.every(isBotValue) ? values : null;
  } catch {
    return null;
  }
}

function isBotValue(each: unknown): each is SmallValue {
  const { key, value, expires } = Object(each) as Record<string, unknown>;
  return (
    typeof key === 'string' && value !== undefined && (expires === undefined || typeof expires === 'number')
  );
}
