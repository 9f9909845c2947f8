// Many pictures on one, so that a look compares them: for scripts that take pictures. Its size is for a PNG optimiser.
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';

/** What stands side by side. */
export interface SheetRow {
  title: string;
  pictures: readonly Buffer[];
}

/** Pixels of each picture on the sheet. */
const height = 460;

/** Writes `docs/NAME.png`. */
export async function writeSheet(browser: Browser, name: string, rows: readonly SheetRow[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 2000, height: 1000 } });
  const drawn = rows.map(({ title, pictures }) => {
    const images = pictures.map(
      (data) => `<img height="${height}" src="data:image/png;base64,${data.toString('base64')}">`,
    );
    return `<h2>${title}</h2><div>${images.join('')}</div>`;
  });
  await page.setContent(
    `<style>
      body { margin: 0; background: #808488; font: 15px sans-serif; color: #fff; }
      main { display: inline-block; padding: 4px 16px 16px; }
      h2 { margin: 12px 0 6px; font-size: 18px; }
      div { display: flex; gap: 12px; }
    </style><main>${drawn.join('')}</main>`,
  );
  await page.evaluate(async () => await Promise.all(Array.from(document.images, (image) => image.decode())));
  await page
    .locator('main')
    .screenshot({ path: fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url)) });
  await page.close();
}
