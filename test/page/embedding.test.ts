import { describe, expect, it } from 'vitest';
import { dayStepMs } from '../../src/page/preview/picture.ts';
import { schedule, server, servers } from '../embeds/contract-data.ts';
import { headerOf, openPage, pageProject, publicUrl, visit } from './visited.ts';
import { parseCalendar } from './embedding/parsed-calendar.ts';

const of = (shown = servers) => pageProject({ listServers: () => ({ servers: [...shown] }) });
const page = openPage([of()]);

describe('badges', () => {
  it('are pictures and the JSON of shields.io, of a server and of all', async () => {
    const all = await visit(page, '/badge/status.svg');
    expect(all?.type).toBe('image/svg+xml');
    expect(all?.text).toContain('aria-label="Northwood: 2/3 online"');
    const one = await visit(page, '/badge/northwood-1/players.svg');
    expect(one?.text).toContain('37/60 players');
    expect(headerOf(one!, 'Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(headerOf(one!, 'Cache-Control')).toBe('public, max-age=5');
    expect(JSON.parse((await visit(page, '/badge/northwood-1/players.json'))!.text)).toEqual({
      schemaVersion: 1,
      label: 'Northwood | Chernarus',
      message: '37/60 players',
      color: '#2c7a3f',
    });
    expect(JSON.parse((await visit(page, '/badge/players.json'))!.text)).toMatchObject({
      message: '37/100 players',
    });
  });

  it('ask for no schedules, which they do not show', async () => {
    const refused = () => Promise.reject(new Error('schedules were read'));
    const unscheduled = openPage([pageProject({}, { schedules: refused })]);
    expect((await visit(unscheduled, '/badge/status.svg'))?.status).toBe(200);
    expect((await visit(unscheduled, '/badge/northwood-1/status.svg'))?.status).toBe(200);
  });

  it('do not exist for a server that is not there', async () => {
    expect((await visit(page, '/badge/nowhere/status.svg'))?.status).toBe(404);
    expect(await visit(page, '/badge/northwood-1/secrets.svg')).toBeNull();
  });
});

describe('the calendar', () => {
  it('holds the schedules of a server or of all, in the language of the address', async () => {
    const untitled = pageProject(
      {},
      { schedules: () => Promise.resolve(new Map([['northwood-1', [schedule({ title: '' })]]])) },
    );
    const german = await visit(openPage([untitled]), '/calendar/northwood-1/schedules.ics?lang=de');
    expect(german?.type).toBe('text/calendar; charset=utf-8');
    const { events, properties } = parseCalendar(german!.text);
    expect(events[0]?.get('SUMMARY')).toBe('Neustart · Northwood | Chernarus');
    expect(properties.get('X-WR-CALNAME')).toBe('Northwood | Chernarus');
    const all = parseCalendar((await visit(page, '/calendar/schedules.ics'))!.text);
    expect(new Set(all.events.map((event) => event.get('SUMMARY'))).size).toBe(3);
    expect((await visit(page, '/calendar/nowhere/schedules.ics'))?.status).toBe(404);
  });

  it('has the id of a server whose name shows nothing', async () => {
    const nameless = openPage([of([server({ name: '\u200b' })])]);
    const { text } = (await visit(nameless, '/calendar/northwood-1/schedules.ics'))!;
    expect(parseCalendar(text).properties.get('X-WR-CALNAME')).toBe('northwood-1');
  });
});

/** What a page says of itself to other programs. */
function headOf(html: string) {
  const head = /<head>(.*?)<\/head>/s.exec(html)![1]!;
  const tags = new Map(
    [...head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)].map(([, name, content]) => [
      name!,
      content!.replaceAll('&amp;', '&'),
    ]),
  );
  const data = [...head.matchAll(/<script (?:id="([^"]+)" )?type="([^"]+)">(.*?)<\/script>/gs)].map(
    ([, id, type, json]) => ({ id, type, value: JSON.parse(json!) as Record<string, unknown> }),
  );
  return { tags, data };
}

describe('a link to the page', () => {
  it('shows a picture, the state and a button to join', async () => {
    const { tags, data } = headOf((await visit(page, '/'))!.text);
    expect(tags.get('og:title')).toBe('Northwood');
    expect(tags.get('og:description')).toMatch(/^37 players · 2 of 3 servers online · /);
    expect(tags.get('og:url')).toBe(`${publicUrl}/`);
    expect(tags.get('theme-color')).toBe('#5865F2');
    const [embed] = data;
    expect(embed).toMatchObject({ id: 'discord:component-embed', type: 'application/json' });
    expect(JSON.stringify(embed?.value)).toContain(`"url":"${publicUrl}/join/northwood-1"`);
  });

  it('to a community with one server shows what is known of that server', async () => {
    const single = openPage([of([server()])]);
    const { tags } = headOf((await visit(single, '/'))!.text);
    expect(tags.get('og:title')).toBe('Northwood | Chernarus');
    expect(tags.get('og:description')).toMatch(/^37 \/ 60 players · Online · Chernarus · Next restart: /);
    expect(tags.get('og:url')).toBe(`${publicUrl}/`);
    const [front, own] = await Promise.all(
      ['/picture/preview.png', '/picture/northwood-1/preview.png'].map((path) => visit(single, path)),
    );
    expect(front?.body.equals(own!.body)).toBe(true);
  });

  it("has the community's colour on every page, in the browser's tab too", async () => {
    const { text } = (await visit(page, '/boards/deaths'))!;
    expect(headOf(text).tags.get('theme-color')).toBe('#5865F2');
    expect(text).toMatch(/<link rel="icon" href="data:image\/svg\+xml,[^"]*%235865F2[^"]*%3EN%3C/);
  });

  it('names search engines its address in each language, if they may list it', async () => {
    const linksOf = async (shown: typeof page) => {
      const { text } = (await visit(shown, '/boards/deaths?lang=de&from=elsewhere'))!;
      return text.match(/<link rel="(?:canonical|alternate)" [^>]*>/g) ?? [];
    };
    expect(await linksOf(page)).toEqual([]);
    const links = await linksOf(openPage([of(servers)], { indexed: true }));
    expect(links).toHaveLength(10);
    expect(links[0]).toBe(`<link rel="canonical" href="${publicUrl}/boards/deaths?lang=de"/>`);
    expect(links).toContain(`<link rel="alternate" hreflang="x-default" href="${publicUrl}/boards/deaths"/>`);
    expect(links).toContain(
      `<link rel="alternate" hreflang="pt" href="${publicUrl}/boards/deaths?lang=pt"/>`,
    );
  });

  it('leads to a picture that is drawn, and whose address changes with what stands on it', async () => {
    const imageOf = async (shown: typeof servers) => {
      const { tags } = headOf((await visit(openPage([of(shown)]), '/?lang=de'))!.text);
      return tags.get('og:image')!;
    };
    const image = await imageOf(servers);
    expect(image).toMatch(/^https:\/\/play\.example\.org\/picture\/preview\.png\?lang=de&v=[\w-]{12}$/);
    expect(await imageOf([...servers])).toBe(image);
    expect(await imageOf([server({ players: 38 })])).not.toBe(image);
    const drawn = await visit(page, image);
    expect(drawn?.type).toBe('image/png');
    expect(drawn?.body.subarray(1, 4).toString()).toBe('PNG');
    expect(headerOf(drawn!, 'Cross-Origin-Resource-Policy')).toBe('cross-origin');
    const one = await visit(page, '/picture/northwood-1/preview.png');
    expect(one?.body.subarray(1, 4).toString()).toBe('PNG');
    expect((await visit(page, '/picture/nowhere/preview.png'))?.status).toBe(404);
  });

  it('shows the last day on the picture of a server', async () => {
    const asked: number[][] = [];
    const past = openPage([of()], {
      history: (_, from, to, stepMs) => {
        asked.push([to - from, stepMs]);
        return Promise.resolve({ timezone: 'UTC', buckets: [] });
      },
    });
    await visit(past, '/picture/northwood-1/preview.png');
    expect(asked).toEqual([[86_400_000, dayStepMs]]);
  });

  it('has no button to join where no link leads to the server', async () => {
    const none = openPage([pageProject({}, { canJoin: () => false })]);
    expect((await visit(none, '/'))!.text).not.toContain('/join/');
  });

  it('says nothing of addresses that the config does not know', async () => {
    const { tags, data } = headOf((await visit(openPage([of()], { publicUrl: undefined }), '/'))!.text);
    expect([...tags.keys()].filter((name) => name.startsWith('og:'))).toEqual([]);
    expect(data).toEqual([]);
  });

  it('carries the project in its addresses where there are several', async () => {
    const two = openPage([of(), pageProject({}, { slug: 'southwood' })], { publicUrl: `${publicUrl}/` });
    const { tags, data } = headOf((await visit(two, '/northwood'))!.text);
    expect(tags.get('og:url')).toBe(`${publicUrl}/northwood`);
    expect(tags.get('og:image')).toMatch(/^https:\/\/play\.example\.org\/northwood\/picture\/preview\.png\?/);
    expect(JSON.stringify(data)).toContain(`${publicUrl}/join/northwood-1`);
    expect((await visit(two, '/northwood/badge/status.svg'))?.text).toContain('<svg');
    expect(await visit(two, '/badge/status.svg')).toMatchObject({ status: 404 });
  });

  it('keeps the addresses of a server that were shared before there was a second project', async () => {
    const slugOfServer = (id: string): string | undefined => (id === 'northwood-1' ? 'northwood' : undefined);
    const two = openPage([pageProject({}, { slug: 'southwood' }), of()], { slugOfServer });
    for (const path of ['badge/northwood-1/status.svg', 'widget/northwood-1', 'servers/northwood-1']) {
      const [short, full] = await Promise.all([visit(two, `/${path}`), visit(two, `/northwood/${path}`)]);
      expect(short).toMatchObject({ status: 200, text: full?.text });
    }
    expect(await visit(two, '/servers/nowhere')).toMatchObject({ status: 404 });
  });

  it('is no way out of its element for a name', async () => {
    const name = '</script><script>alert(1)</script>"><img src=x onerror=alert(1)>';
    const html = (await visit(openPage([of([server({ name })])]), '/'))!.text;
    expect(html).not.toMatch(/<script>alert|<img/);
    const { tags, data } = headOf(html);
    expect(tags.get('og:image:alt')).toContain('&lt;/script>');
    expect(data.map(({ type }) => type)).toEqual(['application/json']);
  });
});
