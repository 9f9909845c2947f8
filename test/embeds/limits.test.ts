import type { APIEmbed } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { embedLength, fit } from '../../src/embeds/limits.ts';
import { expectSendable } from './message-rules.ts';

const long = (length: number) => 'word '.repeat(length / 5);

describe('a message that is too large', () => {
  it('is cut to what Discord accepts, embed by embed and in total', () => {
    const huge: APIEmbed = {
      title: long(1000),
      description: long(9000),
      author: { name: long(500) },
      footer: { text: long(3000) },
      fields: Array.from({ length: 40 }, () => ({ name: long(400), value: long(2000) })),
    };
    for (const count of [1, 2, 15]) expectSendable(fit(Array.from({ length: count }, () => huge)));
  });

  it('loses no more than it must', () => {
    const fields = Array.from({ length: 6 }, (_, index) => ({ name: `n${index}`, value: long(1000) }));
    const [fitted] = fit([{ title: 'kept', fields }]);
    expect(fitted?.title).toBe('kept');
    expect(fitted?.fields?.length).toBe(6);
    expect(embedLength(fitted!)).toBeGreaterThan(5000);
  });

  it('leaves out what Discord would refuse', () => {
    const [fitted] = fit([
      {
        title: 'kept',
        url: 'steam://connect/127.0.0.1',
        author: { name: 'kept', url: 'javascript:alert(1)', icon_url: 'not an address' },
        fields: [
          { name: ' ', value: 'x' },
          { name: 'x', value: '' },
          { name: 'kept', value: 'kept' },
        ],
      },
    ]);
    expect(fitted).toEqual({
      title: 'kept',
      author: { name: 'kept' },
      fields: [{ name: 'kept', value: 'kept' }],
    });
  });
});
