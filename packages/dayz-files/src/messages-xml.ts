import type { SAXParser, Tag } from 'sax';

/** The messages of a server, one of which may announce its restart. */
export interface AnnouncedRestart {
  messages: number;
  /** Minutes from the server's start to the earliest shutdown; null: it shuts no server down. */
  restartMinutes: number | null;
}

/**
 * Reads the restart from a mission's `db/messages.xml`: the message with the least `<deadline>` (minutes from the
 * server's start) of those with a `<shutdown>` above 0. Element names match in any case, as owners write them.
 * Source: community.bistudio.com/wiki/DayZ:Server_Messages. The parser supports only the five entities of XML, so
 * that a file cannot declare any that expand.
 * @throws Error with the line, when it is not XML or has no `<messages>`
 */
export async function readMessagesXml(text: string): Promise<AnnouncedRestart> {
  // Loaded when it is needed, since most programs read logs alone.
  const { default: sax } = await import('sax');
  const parser = sax.parser(true, { position: true });
  const path: string[] = [];
  const result: AnnouncedRestart = { messages: 0, restartMinutes: null };
  let isMessages = false;
  let message = new Map<string, string>();

  const onText = (words: string): void => {
    const element = path[2];
    if (path.length === 3 && element !== undefined)
      message.set(element, (message.get(element) ?? '') + words);
  };
  Object.assign(parser, {
    onerror(error: Error) {
      const [mistake = ''] = error.message.split('\n', 1);
      const hint = /entity/i.test(mistake) ? '; write &amp; for an & in a text' : '';
      throw new Error(`is not XML: ${mistake} in line ${parser.line + 1}${hint}`);
    },
    onopentag({ name }: Tag) {
      path.push(name.toLowerCase());
      if (path.length === 1) isMessages = path[0] === 'messages';
      if (path.length === 2) message = new Map();
    },
    ontext: onText,
    oncdata: onText,
    onclosetag() {
      if (path.pop() !== 'message' || path.length !== 1) return;
      result.messages += 1;
      const deadline = minutes(message.get('deadline'));
      if (minutes(message.get('shutdown')) === 0 || deadline === 0) return;
      result.restartMinutes = Math.min(result.restartMinutes ?? deadline, deadline);
    },
  } satisfies Partial<SAXParser>);
  parser.write(withoutComments(text)).close();
  if (!isMessages) throw new Error('is not a messages.xml: an element <messages> was expected around all');
  return result;
}

/** Owners draw lines of dashes in comments, which XML forbids and the game accepts. Line numbers stay the same. */
function withoutComments(text: string): string {
  let kept = '';
  for (let at = 0; ;) {
    const start = text.indexOf('<!--', at);
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4);
    if (end < 0) return kept + text.slice(at);
    kept += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]+/g, '');
    at = end + 3;
  }
}

/** 0 if it is not a number of minutes. */
function minutes(text: string | undefined): number {
  const words = text?.trim() ?? '';
  return /^[0-9]{1,6}$/.test(words) ? Number(words) : 0;
}
