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
