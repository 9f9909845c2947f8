/** Scheme of a well formed address, with its colon (`https:`); undefined when it is none. */
export function schemeOf(address: unknown): string | undefined {
  try {
    return new URL(String(address)).protocol;
  } catch {
    return undefined;
  }
}
