import { Representation } from '../answers/representation.ts';
import type { AnswerTo } from '../routes.ts';

/** Serves a fixed body, which is read at the first request. Headers are names and values in turns. */
export function staticAnswer(
  contentType: string,
  read: () => Promise<Buffer>,
  headers: readonly string[] = [],
): AnswerTo {
  const make = async (): Promise<Representation> =>
    new Representation(await read(), contentType, [...headers, 'Cache-Control', 'no-cache']);
  let made: Promise<Representation> | undefined;

  return async (request) => {
    made ??= make();
    try {
      return await (await made).answer(request, 'Accept-Encoding');
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}
