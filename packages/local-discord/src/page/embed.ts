import type { APIEmbed } from 'discord-api-types/v10';
import type { Attachment } from '../discord-types.ts';
import { div, element, link } from './dom.ts';
import { inline, type Names } from './markdown-inline.ts';
import { markdown } from './markdown.ts';
import { messageTime } from './time.ts';

/** Pictures come from this server only; the page fetches nothing from elsewhere. */
function picture(url: string, className: string): HTMLImageElement | null {
  if (!URL.canParse(url, location.href)) return null;
  const address = new URL(url, location.href);
  if (address.origin !== location.origin) return null;
  return element('img', { className, src: address.href, alt: '', loading: 'lazy' });
}

/** Columns of twelve for each field: up to three inline ones share a line, as Discord lays them out. */
function columns(fields: readonly { inline?: boolean }[]): string[] {
  const spans: string[] = [];
  for (let index = 0; index < fields.length;) {
    let run = 0;
    while (run < 3 && fields[index + run]?.inline) run += 1;
    if (run <= 1) {
      spans.push(fields[index]?.inline ? '1 / 5' : '1 / 13');
      index += 1;
    } else {
      const width = 12 / run;
      for (let part = 0; part < run; part += 1) spans.push(`${1 + part * width} / ${1 + (part + 1) * width}`);
      index += run;
    }
  }
  return spans;
}

function fieldsOf(embed: APIEmbed, names: Names): HTMLElement | null {
  const fields = embed.fields ?? [];
  if (fields.length === 0) return null;
  const spans = columns(fields);
  return element(
    'discord-embed-fields',
    { slot: 'fields' },
    ...fields.map((field, index) => {
      const name = div('field-name', ...inline(field.name, names));
      const value = element('div', {}, ...markdown(field.value, names));
      return element('discord-embed-field', { style: `grid-column: ${spans[index]}` }, name, value);
    }),
  );
}

function footerOf(embed: APIEmbed): HTMLElement | null {
  if (!embed.footer && !embed.timestamp) return null;
  const time = embed.timestamp ? messageTime(Date.parse(embed.timestamp)) : null;
  const text = [embed.footer?.text, time].filter((part) => part).join(' • ');
  return element('discord-embed-footer', { slot: 'footer' }, text);
}

function authorOf({ author }: APIEmbed): HTMLElement | null {
  if (!author) return null;
  const { name, url, icon_url: icon } = author;
  const properties = { className: 'embed-author', slot: 'description' };
  return element('div', properties, icon ? picture(icon, '') : null, url ? link(url, '', name) : name);
}

/** The library reads custom emoji into any long number of its own title, so titles are drawn here. */
function titleOf({ title, url }: APIEmbed, names: Names): HTMLElement | null {
  if (!title) return null;
  const properties = { className: 'embed-title', slot: 'description', 'data-testid': 'embed-title' };
  const parts = inline(title, names);
  return element('div', properties, ...(url ? [link(url, '', ...parts)] : parts));
}

function descriptionOf({ description }: APIEmbed, names: Names): HTMLElement | null {
  if (!description) return null;
  return element('discord-embed-description', { slot: 'description' }, ...markdown(description, names));
}

function imageOf({ image }: APIEmbed): HTMLElement | null {
  const node = image ? picture(image.url, 'embed-image') : null;
  if (node) node.slot = 'footer';
  return node;
}

export function embedNode(embed: APIEmbed, names: Names): HTMLElement {
  const color = embed.color === undefined ? null : `#${embed.color.toString(16).padStart(6, '0')}`;
  const thumbnail = embed.thumbnail ? picture(embed.thumbnail.url, '')?.src : null;
  return element(
    'discord-embed',
    { slot: 'embeds', color, thumbnail, 'data-testid': 'embed' },
    authorOf(embed),
    titleOf(embed, names),
    descriptionOf(embed, names),
    fieldsOf(embed, names),
    imageOf(embed),
    footerOf(embed),
  );
}

/** What hangs on a message besides its embeds. */
export function attachmentNode(attachment: Attachment): HTMLElement {
  const image = attachment.content_type.startsWith('image/')
    ? picture(attachment.url, 'attachment-image')
    : null;
  if (image) {
    image.alt = attachment.description ?? attachment.filename;
    return image;
  }
  const size = `${Math.ceil(attachment.size / 1024)} KiB`;
  return div('attachment-file', link(attachment.url, 'md-link', attachment.filename), size);
}
