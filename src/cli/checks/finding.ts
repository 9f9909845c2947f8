/** The result of one check. */
export interface Finding {
  /** The key in the config: `northwood-1.logs`. */
  key: string;
  /** The path or address that was tried. */
  tried: string;
  /** `warning`: it may be right, but the owner should look. `wrong`: it cannot work. */
  status: 'good' | 'warning' | 'wrong';
  found: string;
  /** What to do about it. */
  next?: string | undefined;
}

/** What a check finds: one thing, several, or nothing. */
export type Findings = Finding | readonly Finding[];

/** Makes findings about one thing. */
export const about = (key: string, tried: string) => ({
  good: (found: string, next?: string): Finding => ({ key, tried, status: 'good', found, next }),
  warning: (found: string, next: string): Finding => ({ key, tried, status: 'warning', found, next }),
  wrong: (found: string, next: string): Finding => ({ key, tried, status: 'wrong', found, next }),
});

export type Report = ReturnType<typeof about>;

/** A message for owners in two parts: its first sentence says what happened, the others what to do. */
export function inTwo(message: string, otherwise: string): [found: string, next: string] {
  const [, found = message, rest = ''] = /^(.*?)[.:]?(?:\. |\n)(.*)$/s.exec(message) ?? [];
  const sentences = rest.split('\n').map((line) => line.trim().replace(/\.$/, ''));
  return [found, sentences.join('. ') || otherwise];
}
