/**
 * Positions of one field's terms, readable from any document on without those before it.
 *
 *   positions := header small blocks padding
 *   header    := 16 bytes: u32 version (1) · u32 blocks, where that region starts · u32 end · u32 0
 *   run       := absolute positions one after another, w bits each, lowest bit first; documents in
 *                order, each as many as its frequency; padded to a byte; w is 0 where all are 0
 *   small     := a run for every term below 128 documents, in term order; its width is in the
 *                term's entry, its offset follows from the widths and frequencies before it
 *   blocks    := a run for every block entry of the postings, found by their position columns
 *   padding   := 64 zero bytes, which reads may pass into
 *
 * Always: the positions of a document ascend, and two of them may be equal (stacked tokens).
 *
 * Example: positions 0; 5; 2 and 7 of the documents of "sea", and 6 of "seal".
 *
 *   01 00 00 00   | version
 *   13 00 00 00   | blocks at 19
 *   13 00 00 00   | end
 *   00 00 00 00
 *   a8 0e         | "sea": 000 101 010 111 from bit 0 up
 *   06            | "seal": 011
 *   00 × 64       | padding
 *   => { sea: [[0], [5], [2, 7]], seal: [[6]] }
 */
export const POSITIONS_VERSION = 1
export const POSITIONS_HEADER_BYTES = 16
export const POSITIONS_PADDING_BYTES = 64
