// Markdown as elements. HTML in the text is shown as text.
import type { ComponentChildren } from 'preact'
import type { Token, Tokens } from 'marked'
import { memo } from '../ui/memo'
import { CodeBlock } from './code'
import { Formula } from './math'
import { decodeEntities, parse, safeAddress } from './parse'
import type { MathToken } from './parse'

function all(tokens: Token[] | undefined): ComponentChildren {
  return tokens?.map((token, index) => <Piece key={index} token={token} />)
}

function Link({ token }: { token: Tokens.Link | Tokens.Image }) {
  const address = safeAddress(token.href)
  const content = token.type === 'image' ? `image: ${token.text || token.href}` : all(token.tokens)
  if (!address) return <span title={token.href}>{content}</span>
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={token.title ?? undefined}
    >
      {content}
    </a>
  )
}

// A picture in the text itself; one from elsewhere would tell that place of this conversation, so
// it is a link.
function Image({ token }: { token: Tokens.Image }) {
  if (!/^data:image\/(png|jpeg|gif|webp);base64,/.test(token.href)) return <Link token={token} />
  return <img src={token.href} alt={token.text} />
}

function List({ token }: { token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    <li key={index} class={item.task ? 'task' : undefined}>
      {all(item.tokens)}
    </li>
  ))
  return token.ordered ? <ol start={token.start || 1}>{items}</ol> : <ul>{items}</ul>
}

function Table({ token }: { token: Tokens.Table }) {
  const aligned = (cell: Tokens.TableCell) => (cell.align ? `align-${cell.align}` : undefined)
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, column) => (
              <th key={column} class={aligned(cell)}>
                {all(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={aligned(cell)}>
                  {all(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const drawers: Record<string, (token: never) => ComponentChildren> = {
  space: () => null,
  def: () => null,
  hr: () => <hr />,
  br: () => <br />,
  code: (token: Tokens.Code) => (
    <CodeBlock code={token.text} language={token.lang?.split(/\s/)[0] ?? ''} />
  ),
  // Headings begin below those of the page.
  heading: (token: Tokens.Heading) => {
    const Heading = `h${Math.min(6, token.depth + 2)}` as 'h3'
    return <Heading class={`level-${token.depth}`}>{all(token.tokens)}</Heading>
  },
  blockquote: (token: Tokens.Blockquote) => <blockquote>{all(token.tokens)}</blockquote>,
  list: (token: Tokens.List) => <List token={token} />,
  checkbox: (token: Tokens.Checkbox) => (
    <input type="checkbox" checked={token.checked} disabled aria-label="Task" />
  ),
  table: (token: Tokens.Table) => <Table token={token} />,
  paragraph: (token: Tokens.Paragraph) => <p>{all(token.tokens)}</p>,
  html: (token: Tokens.HTML) => (/^<br\s*\/?>\s*$/i.test(token.raw) ? <br /> : token.raw),
  strong: (token: Tokens.Strong) => <strong>{all(token.tokens)}</strong>,
  em: (token: Tokens.Em) => <em>{all(token.tokens)}</em>,
  del: (token: Tokens.Del) => <del>{all(token.tokens)}</del>,
  codespan: (token: Tokens.Codespan) => <code>{token.text}</code>,
  link: (token: Tokens.Link) => <Link token={token} />,
  image: (token: Tokens.Image) => <Image token={token} />,
  math: (token: MathToken) => <Formula text={token.text} display={token.display} />,
  text: (token: Tokens.Text) => (token.tokens ? all(token.tokens) : decodeEntities(token.text)),
  escape: (token: Tokens.Escape) => decodeEntities(token.text),
}

function Piece({ token }: { token: Token }): ComponentChildren {
  const draw = drawers[token.type]
  return draw ? draw(token as never) : token.raw
}

// Tokens are new at every parse. A block is drawn again only when its source has grown (of a
// streaming answer, the last one) or when an address was defined that it may name.
const Block = memo(
  ({ token }: { token: Token; raw: string; addresses: number }) => <Piece token={token} />,
  ['raw', 'addresses'],
)

export const Markdown = memo(({ text }: { text: string }) => {
  const tokens = parse(text)
  const addresses = tokens.filter((token) => token.type === 'def').length
  return (
    <div class="markdown">
      {tokens.map((token, index) => (
        <Block key={index} token={token} raw={token.raw} addresses={addresses} />
      ))}
    </div>
  )
})
