// The files of a set of vectors, which every child of the bench reads.
import { readFileSync } from 'node:fs'

/** Neighbours of each vector, and candidates when a graph is made: those of every engine that has one. */
export const M = 16
export const EF_CONSTRUCTION = 100
/** Neighbours that are asked for. */
export const K = 10

/**
 * Reads a set: `{ dimension, vectors, queries }` in JSON, the latter two names of files of float32.
 * @param {string} file
 */
export function vectorSet(file) {
  const { dimension, vectors, queries } = JSON.parse(readFileSync(file, 'utf8'))
  return { dimension, vectors: rowsOf(vectors, dimension), queries: rowsOf(queries, dimension) }
}

/**
 * @param {string} file
 * @param {number} dimension
 * @returns {Float32Array[]}
 */
function rowsOf(file, dimension) {
  const bytes = readFileSync(file)
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  return Array.from({ length: all.length / dimension }, (_, i) =>
    all.subarray(i * dimension, (i + 1) * dimension),
  )
}

/**
 * The number of the query that a clause asks for.
 * @param {{ values: string[] }[]} clauses
 */
export function queryNumber([clause]) {
  return Number(clause?.values[0])
}

/**
 * An answer of the bench.
 * @param {number[]} docs
 */
export function answerOf(docs) {
  return { docs, keys: docs, total: null, exact: true }
}
