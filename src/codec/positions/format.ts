/**
 * Positions of one field's terms, readable from any document on without those before it.
 *
 *   positions := header small blocks padding
 *   header    := 16 bytes: u32 version (1) · u32 blocks, where that region starts · u32 end · u32 0
 *   run       := absolute positions one after another, w bits each, lowest bit first; documents in
 *                order, each as many as its frequency; padded to a byte; w is 0 where all are 0
 *   small     := a run for every term below 128 documents, in term order; its width stands in the
 *                term's entry, its place follows from the widths and frequencies before it
 *   blocks    := a run for every block entry of the postings, found by their position columns
 *   padding   := 64 zero bytes, which reads may pass into
 *
 * Example: positions 0, 5 and 2 at width 3 are the bytes a8 00: 000, 101, 010 from bit 0 up.
 *
 * Always: the positions of a document rise, and two of them may be equal (stacked tokens).
 */
export const POSITIONS_VERSION = 1
export const POSITIONS_HEADER_BYTES = 16
export const POSITIONS_PADDING_BYTES = 64
