import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actions, ComponentUse, InvokeOptions } from '../actions.ts';
import type { Json, LocalEvent, Message } from '../discord-types.ts';
import { DiscordError } from '../errors.ts';
import type { GatewayControl } from '../gateway.ts';
import { deleteMessage, sendMessage } from '../state/messages.ts';
import type { Actor } from '../interactions.ts';
import type { OptionValue } from '../options.ts';
import { readBody } from '../rest/body.ts';
import { isObject } from '../rules/values.ts';
import { setMember } from '../state/roles.ts';
import { rememberUser, type State } from '../state/state.ts';
import { defaultPersonas, type PageOptions, type Persona } from './page-options.ts';
import { staticFile } from './static-files.ts';
import { isSeenBy, stateView } from './view.ts';

/** What the page's server needs of the local Discord around it. */
export interface PageContext {
  state: State;
  actions: Actions;
  gateway: GatewayControl;
  options: PageOptions;
  subscribe: (listener: (event: LocalEvent) => void) => () => void;
}

class BadRequest extends Error {}

/** Largest body that the page sends: a command with its options. */
const maxBodyBytes = 64 * 1024;

/** Serves the page, its files, its view of the local Discord as JSON, live events, and what its visitor does. */
export function createPageServer({ state, actions, gateway, options, subscribe }: PageContext) {
  const { title = state.bot.displayName, introduction = '', notices = [] } = options;
  const page = { title, introduction, notices, personas: options.personas ?? defaultPersonas };
  for (const one of page.personas) {
    rememberUser(state, one);
    for (const guild of state.guilds.values()) {
      if (!guild.members.has(one.id)) setMember(state, guild, one.id, []);
    }
  }

  function persona(id: unknown): Persona {
    const found = page.personas.find((one) => one.id === id) ?? page.personas[0];
    if (!found) throw new BadRequest('the page has no personas');
    return found;
  }

  function events(response: ServerResponse, who: Persona): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': connected\n\n');
    const end = subscribe((event) => {
      if (event.type !== 'message' || isSeenBy(event.message, who))
        response.write(`data: ${JSON.stringify(event)}\n\n`);
    });
    const beat = setInterval(() => response.write(': beat\n\n'), 20_000);
    beat.unref();
    response.on('close', () => {
      clearInterval(beat);
      end();
    });
  }

  function messagesOf(channelId: string, who: Persona): Message[] {
    const messages = [...(state.channels.get(channelId)?.messages.values() ?? [])];
    return messages.filter((one) => isSeenBy(one, who)).slice(-100);
  }

  function visibleMessage(body: Json, who: Persona): Message {
    const message = state.channels.get(String(body['channelId']))?.messages.get(String(body['messageId']));
    if (!message || !isSeenBy(message, who)) throw new BadRequest('no such message');
    return message;
  }

  /** What the page's visitor does, by the last part of the path. */
  const requests: Record<string, (body: Json, who: Persona) => unknown> = {
    async invoke(body, who) {
      await actions.invoke({ ...commandOf(body, who), until: 'acknowledged' });
    },
    async autocomplete(body, who) {
      const focused = body['focused'] as { name: string; value: string };
      return { choices: await actions.autocomplete({ ...commandOf(body, who), focused }) };
    },
    async click(body, who) {
      await actions.click(useOf(body, who));
    },
    async select(body, who) {
      const values = Array.isArray(body['values']) ? body['values'].map(String) : [];
      await actions.select({ ...useOf(body, who), values });
    },
    send(body, who) {
      const channel = state.channels.get(text(body, 'channelId'));
      const author = state.users.get(who.id);
      if (!channel || !author) throw new BadRequest('no such channel');
      sendMessage(state, channel, { body: { content: text(body, 'content') }, uploads: [], author });
    },
    /** Dismisses a private answer, or deletes a message as a moderator. */
    remove(body, who) {
      deleteMessage(state, visibleMessage(body, who));
    },
  };

  async function answer(request: IncomingMessage, url: URL): Promise<unknown> {
    const name = url.pathname.slice('/client/'.length);
    if (request.method === 'GET') {
      const who = persona(url.searchParams.get('user'));
      if (name === 'state') return stateView(state, who, page, gateway.botStatus);
      if (name === 'messages') return { messages: messagesOf(url.searchParams.get('channel') ?? '', who) };
      return null;
    }
    const perform = Object.hasOwn(requests, name) ? requests[name] : undefined;
    if (request.method !== 'POST' || !perform) return null;
    const { body } = await readBody(request, maxBodyBytes);
    if (!isObject(body)) throw new BadRequest('expected a JSON object');
    return (await perform(body, persona(body['userId']))) ?? {};
  }

  async function serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const refusal = refuse(request);
    if (refusal) return send(response, 403, { error: refusal });
    if (url.pathname === '/client/events') return events(response, persona(url.searchParams.get('user')));
    if (url.pathname.startsWith('/client/')) {
      try {
        const result = await answer(request, url);
        return send(response, result === null ? 404 : 200, result ?? { error: 'not found' });
      } catch (error) {
        return send(response, error instanceof DiscordError ? error.status : 400, {
          error: error instanceof Error ? error.message : String(error),
        });
      }
    }
    const file = await staticFile(url.pathname === '/' ? 'index.html' : url.pathname.slice('/page/'.length));
    if (!file) return send(response, 404, { error: 'not found' });
    response.writeHead(200, { ...pageHeaders, 'content-type': file.contentType });
    response.end(file.body);
  }

  /** Why a request is not from this page: other sites must not reach in, by rebinding a name or by a form. */
  function refuse(request: IncomingMessage): string | null {
    if (request.method === 'GET' || request.method === 'HEAD') return null;
    const { origin, host, 'content-type': contentType = '' } = request.headers;
    if (!/^application\/json\b/.test(contentType)) return 'expected application/json';
    return origin === `http://${host}` ? null : 'expected the page as its origin';
  }

  /** Answers a request. False when the path is none of the page's. */
  return (request: IncomingMessage, response: ServerResponse, url: URL): boolean => {
    const mine = url.pathname === '/' || /^\/(client|page)\//.test(url.pathname);
    if (mine) serve(request, response, url).catch(() => response.destroy());
    return mine;
  };
}

/** The page loads nothing from elsewhere, and no other page frames it. */
const pageHeaders = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function text(body: Json, key: string): string {
  const value = body[key];
  if (typeof value !== 'string') throw new BadRequest(`expected a text: ${key}`);
  return value;
}

function actor(body: Json, { id, username, displayName, permissions }: Persona): Actor {
  const locale = typeof body['locale'] === 'string' ? body['locale'] : 'en-US';
  return { id, username, displayName, permissions, locale };
}

function useOf(body: Json, who: Persona): ComponentUse {
  const [messageId, customId] = [text(body, 'messageId'), text(body, 'customId')];
  return { messageId, customId, user: actor(body, who), until: 'acknowledged' };
}

function commandOf(body: Json, who: Persona): InvokeOptions {
  return {
    guildId: text(body, 'guildId'),
    channelId: text(body, 'channelId'),
    user: actor(body, who),
    commandName: text(body, 'commandName'),
    options: (body['options'] ?? {}) as Record<string, OptionValue>,
  };
}
