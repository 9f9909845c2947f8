import type { Leases } from '../../../process/leases.ts';

/** The leases of a process that has its store alone: it holds all that it wants. */
export function soleProcess(): Leases {
  return {
    claim(_kind, { onChange }) {
      let held: ReadonlyMap<string, number> = new Map();
      return {
        want(names) {
          held = new Map(Array.from(names, (name) => [name, 0]));
          void onChange(held);
        },
        held: () => held,
        confirm: async (name) => held.has(name),
        close: async () => undefined,
      };
    },
    state: () => ({
      owner: '',
      held: [],
      takeovers: 0,
      lost: 0,
      failedRenewals: 0,
      renewedAgoMs: null,
      unheld: [],
    }),
    close: async () => undefined,
  };
}
