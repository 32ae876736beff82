// @ts-check
/**
 * The target of a search of one index.
 * @param {string} index
 * @returns {import('../../dist/engine/api/target.js').Target}
 */
export function searchTarget(index) {
  return {
    names: [index],
    ignoreUnavailable: false,
    allowNoIndices: true,
    expandOpen: true,
    expandClosed: false,
    expandHidden: false,
    allowAliases: true,
    allowDataStreams: true,
  }
}
