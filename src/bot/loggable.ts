export const notOfDiscord = 'the answer is not one of Discord: a proxy or firewall may have answered instead';

/**
 * The parts of an error that may be logged. The libraries' error objects hold request URLs, which contain tokens.
 * This file imports no library: a service without a bot logs errors too, and needs no discord.js.
 */
export function loggable(error: unknown): { message: string; code?: number | string; status?: number } {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && (typeof error.code === 'number' || typeof error.code === 'string');
  const status = 'status' in error && typeof error.status === 'number';
  return {
    // discord.js has no words for a page of HTML, and a rate limit only a name, which goes on with the route.
    message:
      error.message === 'No Description' ? notOfDiscord : error.message || error.name.replace(/\[.*/, ''),
    ...(code && { code: error.code as number | string }),
    ...(status && { status: error.status as number }),
  };
}

/** How a failed answer or post is logged. That a project is suspended is its owner's decision, and no fault at each of them. */
export function failureLevel(error: unknown): 'debug' | 'warn' {
  const isSuspended = error instanceof Error && 'code' in error && error.code === 'project_suspended';
  return isSuspended ? 'debug' : 'warn';
}
