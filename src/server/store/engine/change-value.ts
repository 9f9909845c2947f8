import { Keyv } from 'keyv';

const form = new Keyv();

/** One row of Keyv's table. The writes say whether they have written. */
export interface ValueRow {
  read(): Promise<string | undefined>;
  /** Unless there is a value. */
  insert(value: string): Promise<boolean>;
  /** If it is still the value before. */
  replace(before: string, value: string): Promise<boolean>;
}

/** Changes a value in Keyv's form as one step: again and again until no other process has changed it meanwhile. */
export async function changeValue<Value>(
  row: ValueRow,
  next: (before: Value | undefined) => Value,
): Promise<void> {
  for (let isWritten = false; !isWritten;) {
    const before = await row.read();
    const known = before === undefined ? undefined : await form.deserializeData<Value>(before);
    const value = (await form.serializeData<Value>({ value: next(known?.value) })) as string;
    isWritten = await (before === undefined ? row.insert(value) : row.replace(before, value));
  }
}
