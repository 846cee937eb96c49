// A block of code: its language, colours, and a button that copies it.
import { memo } from '../ui/memo'
import { CopyButton } from '../ui/copy'
import { highlight } from './highlight'
import type { Piece } from './highlight'

const coloured = (pieces: Piece[]) =>
  pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={index} class={piece.scope}>
        {coloured(piece.pieces)}
      </span>
    ),
  )

export const CodeBlock = memo(({ code, language }: { code: string; language: string }) => (
  <figure class="code" role="group" aria-label={language ? `Code in ${language}` : 'Code'}>
    <figcaption>
      <span>{language || 'text'}</span>
      <CopyButton text={code} label="Copy code" />
    </figcaption>
    {/* Reachable by keyboard, as it may scroll sideways. */}
    <pre tabIndex={0}>
      <code>{coloured(highlight(code, language.toLowerCase()))}</code>
    </pre>
  </figure>
))
