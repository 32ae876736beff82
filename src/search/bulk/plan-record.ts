/**
 * The records that the kernels read, as byte offsets: the same names and offsets as in
 * `kernels/assembly/plan.ts` and `cursor.ts`, which document them. A test compares both sides name
 * by name; a name on one side only is marked: `caller only` here, `kernels only` there.
 */

/** Bytes of a plan. */
export const PLAN_BYTES = 256
/** Offsets of a plan's fields. */
export const PLAN = {
  cursors: 0,
  required: 4,
  optional: 8,
  minimum: 12,
  minDoc: 16,
  maxDoc: 20,
  accept: 24,
  docBase: 28,
  capacity: 32,
  hitCount: 36,
  hitScores: 40,
  hitDocs: 44,
  threshold: 48,
  minScore: 52,
  counting: 56,
  counted: 60,
  constant: 64,
  hasRequired: 72,
  exhaustive: 76,
  scores: 80,
  counts: 84,
  candidates: 88,
  sums: 92,
  blockBuffers: 96,
  order: 100,
  prefix: 104,
  phraseWeight: 108,
  windowBits: 112,
  isPhrase: 116,
  blocksDecoded: 120,
  blocksSkipped: 124,
  runsSkipped: 128,
  windows: 240,
  postingsScored: 244,
  positionsChecked: 248,
  candidateCount: 252,
  primes: 132,
  matches: 136,
  hasAfter: 140,
  afterScore: 144,
  afterDoc: 152,
  bestScore: 160,
  isDisMax: 164,
  tie: 168,
  maxima: 176,
  candidateMaxima: 180,
  slop: 184,
  phraseOrder: 188,
  lists: 192,
  merges: 196,
} as const

/** Bytes of a value range. */
export const RANGE_BYTES = 64
/** Offsets of a numeric column's addresses, as in `kernels/assembly/column.ts`. */
export const COLUMN = {
  presence: 0,
  ranks: 4,
  blocks: 8,
  data: 12,
} as const
/** Offsets of a column with the wanted values, as in `kernels/assembly/column.ts`. */
export const VALUE_RANGE = {
  bits: 16,
  minDoc: 20,
  maxDoc: 24,
  lower: 32,
  upper: 40,
} as const

/** Bytes of a sort's record. */
export const SORT_BYTES = 128
/** Offsets of a sort's record, as in `kernels/assembly/sort.ts`. */
export const SORT = {
  matches: 0,
  minDoc: 4,
  maxDoc: 8,
  docBase: 12,
  capacity: 16,
  hitCount: 20,
  hitValues: 24,
  hitDocs: 28,
  flip: 32,
  presence: 36,
  ranks: 40,
  spans: 44,
  blocks: 48,
  data: 52,
  missing: 56,
  hasAfter: 64,
  after: 72,
  cursor: 80,
  accept: 84,
  counting: 88,
  counted: 92,
  limit: 96,
} as const

/** Bytes of a cursor. */
export const CURSOR_BYTES = 256
/** Offsets of a cursor's fields, as in `kernels/assembly/cursor.ts`. */
export const CURSOR = {
  lastDocs: 0,
  blockOffsets: 4,
  docBits: 8,
  freqBits: 12,
  impacts: 16,
  data: 20,
  blockCount: 24,
  docFreq: 28,
  docs: 32,
  freqs: 36,
  sums: 40,
  ords: 44,
  norms: 48,
  inverse: 52,
  weight: 56,
  isConstant: 60,
  drift: 64,
  bound: 72,
  hasFreqs: 88,
  bits: 92,
  block: 96,
  decoded: 100,
  freqsDecoded: 104,
  sumsDecoded: 108,
  count: 112,
  positionOffsets: 120,
  positionBits: 124,
  positionData: 128,
  smallWidth: 132,
  offset: 136,
  smallLast: 160, // caller only
  smallImpact: 164, // caller only
  attained: 168,
  bounded: 176,
  members: 192,
  ranks: 196,
  supers: 200,
  positions: 208,
  unpacked: 212,
} as const

/**
 * Buffer for a block of unpacked positions of a phrase term: 2,048 of two bytes, and eight spare.
 */
export const POSITIONS_BUFFER_BYTES: number = 2 * 2048 + 16

/** A cursor's buffers: doc IDs, frequencies, their sums, ords of matches in the postings. */
export const CURSOR_BUFFER_BYTES: number = 4 * 512

/** Documents of a window, and its buffers: scores, counts, candidates, sums, bits. */
export const WINDOW_DOCS = 4096
/** Offset of the shuffle patterns within the block buffers. */
export const PATTERNS: number = 5 * 512 + 32
export const BLOCK_BUFFERS_BYTES: number = PATTERNS + 256 + 64
