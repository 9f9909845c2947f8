import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect once the heap has grown by so many percent, where it would let it become four times what is alive.
 *
 * A bot and an import both make garbage that lives just long enough to need a whole collection: every request to
 * Discord leaves some ten kilobytes (Node's abort signals and what hangs on them), every file of a backlog what was
 * counted in it. After 6,000 answers two thirds of the heap were garbage. One collection per thousand answers, most of
 * it beside the work, keeps it small.
 *
 * It counts for the whole process. A V8 that does not know the flag goes on as it is.
 */
export function keepHeapSmall(percent = 50): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
