/** PostgreSQL's codes for work that failed because of another transaction: it could not be serialized, or they waited for each other. */
const conflict = /^40(?:001|P01)$/;
/** One attempt takes a second: PostgreSQL looks for a deadlock after that time. */
const mostAttempts = 5;

/** Does work again that failed because of another transaction. */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (!conflict.test(String(code)) || attempt === mostAttempts) throw error;
    }
  }
}
