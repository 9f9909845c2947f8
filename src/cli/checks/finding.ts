/** The result of one check. `warning`: it may be right, but the owner should check; `wrong`: it cannot work. */
export interface Finding {
  /** The key in the config: `northwood-1.logs`. */
  key: string;
  /** The path or address that was tried. */
  tried: string;
  status: 'good' | 'warning' | 'wrong';
  found: string;
  /** What to do about it. */
  next?: string;
}

/** The part of a finding that a single check returns. */
export type CheckResult = Omit<Finding, 'key' | 'tried'>;

type Make<Result> = (found: string, next?: string) => Result;

const resultOf =
  (status: Finding['status']): Make<CheckResult> =>
  (found, next) => ({ status, found, ...(next !== undefined && { next }) });

export const good = resultOf('good');
export const warning = resultOf('warning');
export const wrong = resultOf('wrong');

/** Makes findings about one thing. */
export interface About {
  good: Make<Finding>;
  warning: Make<Finding>;
  wrong: Make<Finding>;
  is: (result: CheckResult) => Finding;
}

export function about(key: string, tried: string): About {
  const is = (result: CheckResult): Finding => ({ key, tried, ...result });
  return {
    is,
    good: (found, next) => is(good(found, next)),
    warning: (found, next) => is(warning(found, next)),
    wrong: (found, next) => is(wrong(found, next)),
  };
}
