import { texts } from './texts.ts';

type Code = keyof typeof texts;

const statuses = { '✓': 'good', '!': 'warning', '✗': 'wrong' } as const;

/** The result of one check. */
export interface Finding {
  /** Of its text. */
  code: Code;
  /** The key in the config: `northwood-1.logs`. */
  key: string;
  /** The path or address that was tried. */
  tried: string;
  status: (typeof statuses)[keyof typeof statuses];
  found: string;
  /** What to do about it. */
  next?: string;
}

/** The names in a text, as `{{name}}`. */
type Names<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Names<Rest> : never;
type NamesOf<C extends Code> = Names<(typeof texts)[C][number]>;
type ValuesOf<C extends Code> = [NamesOf<C>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<C>, string | number>>];

/** Makes findings about one thing, of a text and its values. */
export type Report = <C extends Code>(code: C, ...values: ValuesOf<C>) => Finding;

export const about =
  (key: string, tried: string): Report =>
  (code, ...[values]) => {
    const filled = texts[code].map((text) =>
      text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => String((values as Record<string, unknown>)[name])),
    );
    const [text = '', next = ''] = filled;
    const status = statuses[text[0] as keyof typeof statuses];
    return { code, key, tried, status, found: text.slice(2), ...(next !== '' && { next }) };
  };

/** A message for owners in two parts: its first sentence says what happened, the others what to do. */
export function inTwo(message: string, otherwise: string): { found: string; next: string } {
  const [, found = message, rest = ''] = /^(.*?)[.:]?(?:\. |\n)(.*)$/s.exec(message) ?? [];
  const sentences = rest.split('\n').map((line) => line.trim().replace(/\.$/, ''));
  return { found, next: sentences.join('. ') || otherwise };
}
