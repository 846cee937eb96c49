// Files that go with a message, as text.
import type { TextFile } from '../state/tree'
import { tell } from '../state/view'

export const LONG_PASTE = 2000 // characters: beyond, a paste becomes a file
const BYTES_MAX = 4 << 20

// The file's text; null, and the reason on show, if it has none.
export async function readText(file: File): Promise<TextFile | null> {
  const refuse = (reason: string) => {
    tell(`${file.name}: ${reason}`, true)
    return null
  }
  if (/^(image|audio|video)\//.test(file.type) && file.type !== 'image/svg+xml')
    return refuse(`this model reads text, not ${file.type.split('/')[0]}.`)
  if (file.size > BYTES_MAX) return refuse('larger than 4 MiB, which no context holds.')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    if (text.includes('\0')) return refuse('no text file.')
    return { name: file.name, text }
  } catch {
    return refuse('no text file (it is not UTF-8).')
  }
}

// Names tell files apart, for the reader and for the model.
export function withFile(files: TextFile[], file: TextFile): TextFile[] {
  const taken = new Set(files.map((other) => other.name))
  const [, stem, end] = /^(.*?)(\.[^.]*)?$/s.exec(file.name)!
  let name = file.name
  for (let number = 2; taken.has(name); number++) name = `${stem}-${number}${end ?? ''}`
  return [...files, { ...file, name }]
}
