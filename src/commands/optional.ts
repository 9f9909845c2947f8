/** Reads what an answer can do without: `otherwise` replaces what cannot be read. */
export async function optional<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  return await reading.catch(() => otherwise);
}
