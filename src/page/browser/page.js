// What a page does with JavaScript: times in the visitor's zone, and its content anew every 15 seconds. Without it, all of the
// page is there.

const { lang } = document.documentElement;

const durations = JSON.parse(document.body.dataset.durations);
const inDays = new Intl.RelativeTimeFormat(lang);
const inMinutes = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** The same as relativeTime of embeds/format.ts. */
function relative(distance) {
  const minutes = Math.round(Math.abs(distance) / 60_000);
  if (minutes === 0) return inMinutes.format(0, 'minute');
  if (minutes >= 1440) return inDays.format(Math.round(distance / 86_400_000), 'day');
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  const form = h === 0 ? 'minutes' : m === 0 ? 'wholeHours' : 'hours';
  return filled(durations[distance < 0 ? 'ago' : 'in'], { duration: filled(durations[form], { h, m }) });
}

/** Of moments that are not relative, as those of parts/elements.tsx. */
const formats = {
  full: new Intl.DateTimeFormat(lang, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }),
  date: new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'short', year: 'numeric' }),
};

const hour = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const weekday = new Intl.DateTimeFormat(lang, { weekday: 'short' });
const { timeZone } = hour.resolvedOptions();

function showTimes() {
  for (const time of document.querySelectorAll('time[data-t]')) {
    const at = Date.parse(time.dateTime);
    const text = formats[time.dataset.t]?.format(at) ?? relative(at - Date.now());
    if (time.textContent !== text) time.textContent = text;
  }
  for (const zone of document.querySelectorAll('[data-zone]')) zone.textContent = timeZone;
}

function drawn(name, attributes, text = '') {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.textContent = text;
  return element;
}

/** Labels charts at round times of the visitor's zone, and days in their middle, as parts/chart.tsx does in the server's. */
function showAxes() {
  for (const { dataset, lastElementChild: axis } of document.querySelectorAll('.chart')) {
    const [from, to] = [Number(dataset.from), Number(dataset.to)];
    const isDay = dataset.range === '24h';
    const first = new Date(from);
    const ticks = [];
    for (let hours = 0; ; hours += isDay ? 4 : 24) {
      const at = +new Date(first.getFullYear(), first.getMonth(), first.getDate(), hours);
      if (at > to) break;
      const percent = (moment) => `${Math.round(((moment - from) / (to - from)) * 1000) / 10}%`;
      if (at > from) {
        const x = percent(at);
        ticks.push(drawn('line', { class: 'grid', x1: x, x2: x, y1: 10, y2: 150 }));
      }
      const middle = isDay ? at : at + 43_200_000;
      if (middle < from + 0.04 * (to - from) || middle > to - 0.04 * (to - from)) continue;
      ticks.push(drawn('text', { x: percent(middle), y: 172 }, (isDay ? hour : weekday).format(at)));
    }
    axis.replaceChildren(...ticks);
  }
}
showTimes();
showAxes();
setInterval(showTimes, 30_000);

let isFetching = false;
/** Of the content that is shown; the page itself is not asked for its own. */
let etag = null;

/** Takes the page's content anew. The browser asks with its ETag, so what has not changed costs a few bytes. */
async function renew() {
  if (isFetching || document.hidden) return;
  isFetching = true;
  try {
    const answer = await fetch(location.href, { cache: 'no-cache' });
    // What is shown already says more than a page about a service that does not answer.
    if (!answer.ok && answer.status !== 404) return;
    const text = await answer.text();
    const isSame = etag !== null && answer.headers.get('ETag') === etag;
    etag = answer.headers.get('ETag');
    if (!isSame) show(text);
  } catch {
    // Without a network: the next time.
  } finally {
    isFetching = false;
  }
}

function show(text) {
  const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main');
  if (next === null) return;
  const focused = document.querySelector('main :focus')?.getAttribute('href');
  const main = document.querySelector('main');
  const scrolled = [...main.querySelectorAll('.tabs')].map(({ scrollLeft }) => scrollLeft);
  // A new element of the same picture would flicker.
  const pictures = new Map([...main.querySelectorAll('img')].map((one) => [one.getAttribute('src'), one]));
  for (const one of next.querySelectorAll('img'))
    one.replaceWith(pictures.get(one.getAttribute('src')) ?? one);
  main.replaceWith(next);
  next.querySelectorAll('.tabs').forEach((tabs, index) => (tabs.scrollLeft = scrolled[index] ?? 0));
  if (focused != null) next.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  showTimes();
  showAxes();
}

setInterval(() => void renew(), 15_000);
document.addEventListener('visibilitychange', () => void renew());
