import type { APIEmbed } from 'discord-api-types/v10';
import type { Attachment } from '../discord-types.ts';
import type { State } from './state.ts';

/** A file of a multipart request. */
export interface Upload {
  /** Number in `files[n]`, to which the body's `attachments[].id` refers. */
  index: string;
  filename: string;
  contentType: string;
  bytes: Buffer;
}

/** Width and height of a PNG from its IHDR chunk (PNG specification, 11.2.2); null for anything else. */
function pngSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/**
 * Stores an uploaded file; the result has the address at which it is served.
 * @param described what the message's body says of its files, by their numbers
 */
export function storeUpload(
  state: State,
  channelId: string,
  { index, filename, contentType, bytes }: Upload,
  described: readonly { id: string; description?: string }[] = [],
): Attachment {
  const id = state.snowflake();
  const description = described.find((one) => one.id === index)?.description;
  const url = `${state.origin}/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`;
  state.files.set(id, { contentType, bytes });
  return {
    id,
    filename,
    ...(description !== undefined && { description }),
    content_type: contentType,
    size: bytes.length,
    url,
    proxy_url: url,
    ...pngSize(bytes),
    embedded: false,
  };
}

/**
 * Replaces each `attachment://name` in embeds by the address of that file, and marks the files that embeds show: the
 * message does not list them.
 */
export function placeAttachments(embeds: readonly APIEmbed[], attachments: readonly Attachment[]): void {
  for (const attachment of attachments) attachment.embedded = false;
  const addressOf = (address: string): string => {
    const found = attachments.find(({ filename, url }) =>
      [url, `attachment://${filename}`].includes(address),
    );
    if (!found) return address;
    found.embedded = true;
    return found.url;
  };
  for (const { image, thumbnail, author, footer } of embeds) {
    if (image) image.url = addressOf(image.url);
    if (thumbnail) thumbnail.url = addressOf(thumbnail.url);
    if (author?.icon_url) author.icon_url = addressOf(author.icon_url);
    if (footer?.icon_url) footer.icon_url = addressOf(footer.icon_url);
  }
}
