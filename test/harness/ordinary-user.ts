export const isRoot = process.geteuid?.() === 0;

/** A user without rights. Source: "nobody" of Linux. */
export const ordinaryUser = 65_534;

/** Runs work as a user without rights, also where the tests run as root. */
export async function asOrdinaryUser<T>(work: () => T | Promise<T>): Promise<T> {
  if (!isRoot) return await work();
  process.seteuid?.(ordinaryUser);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
