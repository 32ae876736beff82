/**
 * The `_id` of every document, and a hash table that finds a document by it.
 *
 *   ids    := header offsets table fingerprints bytes
 *   header := 32 bytes, little-endian
 *      0  u32  version       1
 *      4  u32  maxDoc
 *      8  u32  slotCount     a power of two, at least 1.5 · maxDoc
 *     12  u32  offsets       offset of u32[maxDoc + 1], ends of the ids in `bytes`
 *     16  u32  table         offset of u32[slotCount]: doc ID + 1, 0 where the slot is empty
 *     20  u32  fingerprints  offset of u8[slotCount]: the hash's top byte
 *     24  u32  bytes         offset of the ids, UTF-8, one after another
 *     28  u32  end           length
 *
 * A document's slot is the low bits of murmur3(id, 0), or the next free one behind it, round the
 * end. Ids within a segment may repeat (an update within one refresh): the newest live one wins, and
 * `lookup` walks the slots from the youngest document down.
 *
 * Example: one document "a": slotCount 2, offsets 0 1, bytes 61.
 */
export const IDS_VERSION = 1
export const IDS_HEADER_BYTES = 32
