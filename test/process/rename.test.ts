import { expect, test, vi } from 'vitest';
import { renameOver } from '../../src/process/rename.ts';

const refusal = (code: string): Error => Object.assign(new Error(code), { code });

test('waits a moment while another program has the file open, as a virus scanner on Windows does', async () => {
  const rename = vi.fn(async () => undefined).mockRejectedValueOnce(refusal('EPERM'));
  await renameOver('a', 'b', rename);
  expect(rename).toHaveBeenCalledTimes(2);
});

test('gives up soon, and at once for any other reason', async () => {
  const busy = vi.fn().mockRejectedValue(refusal('EBUSY'));
  await expect(renameOver('a', 'b', busy)).rejects.toThrow('EBUSY');
  expect(busy).toHaveBeenCalledTimes(4);
  const gone = vi.fn().mockRejectedValue(refusal('ENOENT'));
  await expect(renameOver('a', 'b', gone)).rejects.toThrow('ENOENT');
  expect(gone).toHaveBeenCalledOnce();
});
