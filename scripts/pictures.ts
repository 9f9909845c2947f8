// Takes the pictures of the documentation: `npx tsx scripts/pictures.ts help|demo|page|heat-maps`. `demo` and `page` need a built
// dist/ and a Chromium (see packages/local-discord/test/chromium.ts); PICTURE_STYLE may name a stylesheet to lay over the local
// Discord, with fonts for emoji where the machine has none. Look at what changed, then make the PNGs smaller:
// pngquant --force --ext .png --speed 1 256
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { launchChromium } from '../packages/local-discord/test/chromium.ts';
import { startDemo } from '../src/demo/demo.ts';
import { startServerWithPast } from '../src/demo/past.ts';
import { community } from '../src/demo/players.ts';
import { drawHeatMap } from '../src/embeds/map/draw.ts';
import type { HeatMapView } from '../src/embeds/map/heat-map.ts';
import { terrainOf } from '../src/embeds/maps.ts';
import { languageOf } from '../src/locales/language.ts';
import { readHeat } from '../src/server/store/repositories/kills/heat-cells.ts';
import { importLogs } from '../test/harness/logs.ts';
import { northwood } from '../test/harness/northwood.ts';
import { startTestService } from '../test/harness/service.ts';
import { commandHelp } from './command-help.ts';
import { terminalSvg } from './terminal-svg.ts';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const makers = { help: takeHelp, demo: takeDemo, page: takePage, 'heat-maps': drawHeatMaps };

const make = makers[process.argv[2] as keyof typeof makers];
if (make === undefined) throw new Error(`name one of ${Object.keys(makers).join(', ')}`);
await make();

/** The help of every command, and docs/commands.md, which shows it. */
async function takeHelp(): Promise<void> {
  // Help is as wide as the terminal.
  process.stdout.columns = 80;
  const folder = join(docs, 'terminal');
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  const parts = [readFileSync(join(docs, 'commands.md'), 'utf8').split('\n## ')[0]!.trimEnd()];
  for (const [name, screen] of await commandHelp()) {
    const command = name === 'outpost' ? name : `outpost ${name}`;
    writeFileSync(join(folder, `help-${name}.svg`), terminalSvg(screen, `${command} --help`));
    parts.push(`## ${command}\n\n![The help of ${command}](terminal/help-${name}.svg)`);
  }
  writeFileSync(join(docs, 'commands.md'), `${parts.join('\n\n')}\n`);
}

/** What members see in the demo's local Discord. */
async function takeDemo(): Promise<void> {
  const demo = await startDemo(() => undefined);
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1000, height: 1000 }, bypassCSP: true });
  const latest = (): Locator => page.getByTestId('message').last();
  const open = async (channel: string): Promise<void> => page.getByTestId(`channel-${channel}`).click();

  async function become(persona: string): Promise<void> {
    const [id] = await page.getByTestId('persona-select').selectOption({ label: persona });
    await page.locator(`body[data-viewer="${id}"]`).waitFor();
  }

  async function run(command: string, options: Record<string, string> = {}): Promise<void> {
    const before = await page.getByTestId('message').count();
    await page.getByTestId('composer-input').click();
    await page.getByTestId('composer-input').pressSequentially(`/${command}`);
    await page.getByTestId(`command-${command}`).waitFor();
    await page.keyboard.press('Enter');
    for (const [name, value] of Object.entries(options)) {
      const input = page.getByTestId(`option-input-${name}`);
      if ((await input.count()) === 0) await page.getByTestId(`add-option-${name}`).click();
      await input.fill(value);
    }
    if ('metric' in options || 'server' in options) await page.getByTestId('choice').first().click();
    await page.getByTestId('send').click();
    await page.getByTestId('message').nth(before).getByTestId('embed').first().waitFor();
  }

  async function take(name: string, height: number): Promise<void> {
    await page.setViewportSize({ width: 1000, height });
    await page.waitForTimeout(500);
    await page.evaluate('document.getElementById("scroller").scrollTop = 1e6');
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(docs, `${name}.png`) });
  }

  try {
    await page.goto(demo.facts.pageUrl);
    await page.locator('body[data-ready]').waitFor();
    const style = process.env['PICTURE_STYLE'];
    if (style !== undefined) await page.addStyleTag({ content: readFileSync(style, 'utf8') });
    // The side panel shows a secret, if only the demo's.
    await page.getByRole('button', { name: 'Members' }).click();

    await open('server-status');
    await latest().locator('img.embed-image').waitFor();
    await latest().getByText('2 of 2 servers online').waitFor();
    await take('demo-post', 820);

    await open('weekly-recap');
    await latest().locator('img.attachment-image').waitFor();
    await take('demo-recap', 560);

    await open('general');
    await page.locator('body[data-channel="general"]').waitFor();
    await run('status', { server: 'Cher' });
    await run('top', { metric: 'PLAYER_KILLS' });
    await take('demo', 1270);
    await run('online', { server: 'Cher' });
    await take('demo-online', 1060);

    await open('kill-feed');
    // Of near and of far, which a feed marks.
    for (const meters of [28.4, 112.7, 341.2]) {
      demo.adminLogs[0]?.kill(meters);
      await page
        .getByTestId('message')
        .filter({ hasText: String(meters) })
        .waitFor();
    }
    await take('demo-kills', 560);

    await become('Aksel (Moderator)');
    await open('moderators');
    await latest().getByText('Combat logging').waitFor();
    await take('demo-watch', 420);
    // One of the regulars: `community()` counts from there.
    await run('lookup', { identifier: '76561202200000006' });
    demo.gameServers[0]?.setPlayers(56);
    await take('demo-moderator', 940);
    await run('link');
    await latest().getByText('has made them all').waitFor();
    await take('demo-link', 540);
    await page.getByText("That's me").click();
    await latest().getByText('You are linked').waitFor();
    await open('alerts');
    await latest().waitFor({ timeout: 60_000 });
    await become('Mira (Member)');
    await open('alerts');
    await page.getByText('@Watchers').first().waitFor();
    await take('demo-alert', 420);
  } finally {
    await browser.close();
    await demo.close();
  }
}

/** The demo's public page, and what a link to it shows outside Discord. */
async function takePage(): Promise<void> {
  const demo = await startDemo(() => undefined);
  const browser = await launchChromium();
  const { publicUrl } = demo.facts;
  const take = async (name: string, path: string, locale: string, width: number, height: number) => {
    const colorScheme = name === 'page-server' ? 'dark' : 'light';
    const viewport = { width, height };
    const page = await browser.newPage({ viewport, locale, colorScheme, timezoneId: 'Europe/Berlin' });
    await page.goto(new URL(path, publicUrl).href);
    await page.screenshot({ path: join(docs, `${name}.png`) });
    await page.close();
  };
  try {
    // On a busy machine the service may need a moment.
    while (!(await fetch(publicUrl)).ok) await sleep(500);
    await take('page-desktop', '/', 'en-US', 1280, 1080);
    await take('page-server', '/servers/northwood-1', 'de-DE', 390, 1040);
    await take('page-board', '/boards/player-kills/month', 'uk-UA', 390, 1040);
    await take('page-widget', '/widget/northwood-1?theme=dark', 'fr-FR', 300, 280);
    const html = await (await fetch(new URL('/servers/northwood-1', publicUrl))).text();
    const [, address = ''] = /<meta property="og:image" content="([^"]*)"/.exec(html) ?? [];
    const picture = await fetch(new URL(address.replaceAll('&amp;', '&'), publicUrl));
    writeFileSync(join(docs, 'page-link.png'), Buffer.from(await picture.arrayBuffer()));
  } finally {
    await browser.close();
    await demo.close();
  }
}

/** Events of the demo's three weeks. */
async function drawHeatMaps(): Promise<void> {
  const draw = async (name: string, map: string, kind: HeatMapView['kind'], towns: string): Promise<void> => {
    const heat = await heatOf(map, kind, towns.split(','));
    const shown = { server: 'Northwood', kind, ...heat, terrain: terrainOf(map), delayMinutes: 24 * 60 };
    const view: HeatMapView = { ...shown, period: null, weapon: null, since: null };
    const png = await drawHeatMap(view, null, languageOf('en-US'));
    writeFileSync(join(docs, `heatmap-${name}.png`), png ?? '');
  };
  const chernarus =
    'NW Airfield,Elektrozavodsk,Chernogorsk,Tisy base,Berezino,Severograd,Stary Sobor,Zelenogorsk,Gorka';
  await draw('chernarus', 'chernarusplus', 'deaths', chernarus);
  await draw('livonia', 'enoch', 'kills', 'Topolin,Lukow Airfield,Nadbór,Brena,Swarog,Radunin,Sitnik');
  const sakhal = 'Petropavlovsk-Sakhalsky,Nogovo Airfield,Severomorsk,Aniva,Rudnogorsk,Burukan,Lesogorovka';
  await draw('sakhal', 'sakhal', 'deaths', sakhal);
}

async function heatOf(map: string, kind: HeatMapView['kind'], towns: readonly string[]) {
  const service = await startTestService(northwood());
  const folder = mkdtempSync(join(tmpdir(), 'outpost-heat-'));
  try {
    const { db } = service;
    await db.updateTable('project').set({ kill_positions: 1 }).execute();
    const where = { name: 'Northwood', folder, timezone: 'UTC', map, towns };
    const slots = { maxPlayers: 60, players: 37, restartHours: [6] };
    const server = await startServerWithPast({ ...where, ...slots, regulars: community(), seed: 7 });
    await server.close();
    const files = readdirSync(folder).map((name) => join(folder, name));
    await importLogs(db, { serverId: 'northwood-1', files });
    const { project_id: projectId } = await db
      .selectFrom('server')
      .select('project_id')
      .where('id', '=', 'northwood-1')
      .executeTakeFirstOrThrow();
    const all = { from: 0, until: Date.now(), hiddenFrom: Date.now() + 1_000, weapon: null, kind };
    return await readHeat(db, { projectId, serverId: 'northwood-1', ...all });
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
}
