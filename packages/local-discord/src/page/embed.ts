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

/** One embed. The library reads custom emoji into any long number of its own title, so titles are drawn here. */
export function embedNode(embed: APIEmbed, names: Names): HTMLElement {
  const color = embed.color === undefined ? null : `#${embed.color.toString(16).padStart(6, '0')}`;
  const author = embed.author
    ? element(
        'div',
        { className: 'embed-author', slot: 'description' },
        embed.author.icon_url ? picture(embed.author.icon_url, '') : null,
        embed.author.url ? link(embed.author.url, '', embed.author.name) : embed.author.name,
      )
    : null;
  const title = embed.title ? inline(embed.title, names) : null;
  const thumbnail = embed.thumbnail ? picture(embed.thumbnail.url, '')?.src : null;
  const image = embed.image ? picture(embed.image.url, 'embed-image') : null;
  if (image) image.slot = 'footer';
  return element(
    'discord-embed',
    { slot: 'embeds', color, thumbnail, 'data-testid': 'embed' },
    author,
    title
      ? element(
          'div',
          { className: 'embed-title', slot: 'description', 'data-testid': 'embed-title' },
          ...(embed.url ? [link(embed.url, '', ...title)] : title),
        )
      : null,
    embed.description
      ? element('discord-embed-description', { slot: 'description' }, ...markdown(embed.description, names))
      : null,
    fieldsOf(embed, names),
    image,
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
