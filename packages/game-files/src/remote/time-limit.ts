/** Resolves with the work's value, or with `'late'` after `ms`. The work itself goes on; its failure is ignored then. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
