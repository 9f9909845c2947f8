/** `Data` of a character as the game lays it out. */
export function characterBlob(figures: Record<string, number>, version = 2): Buffer {
  const stats = Buffer.concat(
    Object.entries(figures).map(([name, value]) => {
      const entry = Buffer.alloc(1 + name.length + 4);
      entry.writeUInt8(name.length);
      entry.write(name, 1, 'latin1');
      entry.writeFloatLE(value, 1 + name.length);
      return entry;
    }),
  );
  const name = 'SurvivorM_Rolf';
  const head = Buffer.alloc(2 + 12 + 2);
  head.writeUInt16LE(version);
  const sizes = Buffer.alloc(4 + 4 + 2 + 2);
  sizes.writeUInt32LE(4 + stats.length, 4);
  sizes.writeUInt16LE(Object.keys(figures).length, 10);
  return Buffer.concat([head, Buffer.from([name.length]), Buffer.from(name), sizes, stats]);
}
