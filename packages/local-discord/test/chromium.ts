import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where a Chromium is on this machine; null: browser tests are skipped. */
export const chromiumPath =
  [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ].find((path) => path !== undefined && path !== '' && existsSync(path)) ?? null;

/** What to append to a browser test's name where it cannot run. */
export const browserNote =
  chromiumPath === null ? ' (skipped: no Chromium found; install one or set CHROMIUM_PATH)' : '';

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
