/** Reads what an answer can do without: if that fails, the answer has `otherwise` instead. */
export async function optional<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  return await reading.catch(() => otherwise);
}
