/**
 * The record of a batch of documents whose values a kernel reads; `aggregation/kernel/batch-record.ts`
 * names the same offsets.
 */

// The column, as `column.ts` reads it.
export const PRESENCE: usize = 0
export const RANKS: usize = 4
export const BLOCKS: usize = 8
export const DATA: usize = 12
/** First values by index of a document with values; 0: each has one. */
export const ADDRESSES: usize = 16
// The batch.
/** Addresses of documents, i32; not read for a run. */
export const DOCS: usize = 20
export const COUNT: usize = 24
/** First of consecutive documents; −1: they are listed. */
export const RUN: usize = 28
/** Owning buckets by index of the document, i32; 0: all fell into bucket 0. */
export const OWNERS: usize = 32
/** Values of a group and the indexes of their documents: 128 i64, then 128 i32. */
export const GROUP: usize = 36
// Output of `readColumn`.
/** The index in the batch of each value's document, i32. */
export const INDEXES: usize = 40
/** Upper and lower halves, i32 and u32. */
export const HIGHS: usize = 44
export const LOWS: usize = 48
/** Decoded values, f64; 0: none are asked for. */
export const DOUBLES: usize = 52
/** 0: signed integers; 1: sortable doubles; 2: sortable floats; −1: not decoded. */
export const ENCODING: usize = 56
/** Max values that there is room for. */
export const CAPACITY: usize = 60
/** f64 that decoded integers are divided by. */
export const SCALE: usize = 64
// Keys of values.
/** 0: the value less the base is the key; else the first key by slot of the column's range, u16. */
export const SLOTS: usize = 72
/** Keys are below it. */
export const KEYS: usize = 76
/** i64 that slots and bounds count from. */
export const BASE: usize = 80
/** u64: values further from the base have no key. */
export const SPAN: usize = 88
/** log2 of the values of one slot. */
export const SHIFT: usize = 96
/** The first value of each key, less the base, u64; behind the last one 2⁶⁴ − 1. */
export const BOUNDS: usize = 100
/** f64: the step of a value v less the base is the integer nearest to (2⁵² + v − ORIGIN) · INVERSE, less one. */
export const ORIGIN: usize = 192
/** f64: the inverse of the steps' length; 0: they differ. */
export const INVERSE: usize = 200
/** Bits of the keys that have buckets; 0: all. */
export const ACCEPTED: usize = 104
/** Whether documents may have several values of one key, which count once. */
export const REPEATS: usize = 108
/** Whether a slot may hold the first values of several keys. */
export const CROWDED: usize = 164
/** Counts behind the last key that may be written, of which nobody reads. */
export const ROOM: usize = 176
/** Whether extremes are asked for. */
export const EXTREMES: usize = 180
/** Xor mask of values that are compared: −1 in a descending order. */
export const FLIP: usize = 184
// Registers of hashes.
export const REGISTERS: usize = 168
/** Bits of a register's index. */
export const PRECISION: usize = 172
// Buckets. Slot of a document: its owner · KEYS + its key.
/** Documents by slot, u32; where slots become buckets, the bucket beside each, i32, −1: none yet. */
export const COUNTS: usize = 112
/** Output: slots that became buckets, i32, and how many. */
export const FRESH: usize = 120
export const FRESH_COUNT: usize = 124
/** The bucket that the next fresh slot becomes. */
export const NEXT_BUCKET: usize = 128
/** Owning buckets there is room for. */
export const OWNER_LIMIT: usize = 132
/** Output: the documents that have a bucket, i32; 0: not asked for. */
export const OUT_DOCS: usize = 136
/** Output: their buckets, i32. */
export const OUT_OWNERS: usize = 140
// Moments by owning bucket; of candidates the thresholds, i64; of cells min and max side by side, i64.
/** f64 each. */
export const MINS: usize = 144
export const MAXS: usize = 148
/** CHUNKS f64 for each. */
export const SUMS: usize = 152
export const CHUNKS: usize = 156
/** CHUNKS f64: adding and subtracting one rounds to the unit of its chunk. */
export const ROUNDERS: usize = 160
