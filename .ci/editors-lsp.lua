-- What a user of Neovim does with the language server, through the functions that keys are bound to: see `.ci/editors-lsp`.

local readme = vim.env.README
local metadata = readme:gsub('README%.md$', 'kep.yaml')
local has_failed = false
vim.o.report = 9999

-- Waits until something is so; fails otherwise.
local function eventually(what, is_so)
  if not vim.wait(20000, is_so, 20) then
    error(what, 0)
  end
end

local function open(path)
  vim.cmd('edit! ' .. path)
  return vim.api.nvim_get_current_buf()
end

local buffer
local client

-- The 1-based number of the first line that is so.
local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line == text then
      return number
    end
  end
  error('no line ' .. text, 0)
end

local function go_to(text, column)
  vim.api.nvim_win_set_cursor(0, { line_of(text), column or 4 })
end

local function lines()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

local function finds(rule, of)
  for _, found in ipairs(vim.diagnostic.get(of or buffer)) do
    if found.code == rule then
      return found
    end
  end
end

local function add(text)
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { text })
end

-- The README as it is on disk, again.
local function again()
  vim.cmd('silent! only')
  vim.fn.setqflist({})
  buffer = open(readme)
  eventually('it is as it was', function()
    return #vim.diagnostic.get(buffer) > 0 and not finds('not-a-heading')
  end)
end

local function quickfix(text)
  eventually('the list has ' .. text, function()
    for _, list in ipairs({ vim.fn.getqflist(), vim.fn.getloclist(0) }) do
      for _, entry in ipairs(list) do
        if entry.text:find(text, 1, true) then
          return true
        end
      end
    end
  end)
end

-- Name, capability of the server, what the user does. Without a function, the client has no such thing.
local rows = {
  { 'diagnostics on open', nil, function()
    eventually('findings', function()
      return #vim.diagnostic.get(buffer) > 0
    end)
  end },
  { 'diagnostics while typing', nil, function()
    add('##End')
    eventually('the finding is there', function()
      return finds('not-a-heading')
    end)
    vim.cmd('silent undo')
    eventually('the finding is gone', function()
      return not finds('not-a-heading')
    end)
  end },
  { 'diagnostics of the other files', nil, function()
    local yaml = open(metadata)
    vim.cmd([[silent %s/^stage:.*/stage: stable/]])
    eventually('more is required of the README', function()
      return finds('placeholder-section', buffer)
    end)
    vim.cmd('silent undo')
    eventually('as before', function()
      return not finds('placeholder-section', buffer)
    end)
    assert(vim.api.nvim_buf_get_option(yaml, 'omnifunc') ~= '')
  end },
  { 'findings after another program', nil, function()
    local text = vim.fn.readfile(metadata)
    vim.fn.writefile({ 'status: nope' }, metadata)
    vim.cmd('bwipeout! ' .. metadata)
    eventually('the file is checked', function()
      return finds('invalid-status', vim.fn.bufadd(metadata))
    end)
    vim.fn.writefile(text, metadata)
    eventually('the file is checked again', function()
      return not finds('invalid-status', vim.fn.bufadd(metadata))
    end)
  end },
  { 'hover', 'hoverProvider', function()
    go_to('### Scalability')
    vim.lsp.buf.hover()
    eventually('a window', function()
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          local shown = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
          return table.concat(shown, '\n'):find('Scalability', 1, true)
        end
      end
    end)
  end },
  { 'code action', 'codeActionProvider', function()
    add('##End')
    eventually('the finding is there', function()
      return finds('not-a-heading')
    end)
    vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buffer), 0 })
    vim.ui.select = function(items, _, choose)
      choose(items[1], 1)
    end
    vim.lsp.buf.code_action()
    eventually('the text is fixed', function()
      return lines():find('\n## End', 1, true)
    end)
  end },
  { 'completion', 'completionProvider', function()
    local yaml = open(metadata)
    vim.api.nvim_buf_set_lines(yaml, -1, -1, false, { 'status: imp' })
    vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(yaml), 11 })
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    local answers = vim.lsp.buf_request_sync(yaml, 'textDocument/completion', params, 20000)
    local result = answers[client.id].result
    local items = vim.lsp.util.text_document_completion_list_to_complete_items(result, 'imp')
    assert(#items > 0, 'nothing is offered')
    assert(vim.inspect(items):find('implementable', 1, true), 'not what is allowed there')
  end },
  { 'definition', 'definitionProvider', function()
    local entry = vim.fn.search('(#summary)')
    vim.api.nvim_win_set_cursor(0, { entry, 6 })
    vim.lsp.buf.definition()
    eventually('the heading', function()
      return vim.api.nvim_get_current_line() == '## Summary'
    end)
  end },
  { 'KEPs by number and title', 'workspaceSymbolProvider', function()
    vim.lsp.buf.workspace_symbol('4742')
    quickfix('4742')
  end },
  { 'format', 'documentFormattingProvider', function()
    local old = lines()
    vim.api.nvim_win_set_cursor(0, { vim.fn.search('(#summary)'), 0 })
    vim.api.nvim_del_current_line()
    vim.lsp.buf.formatting_sync(nil, 20000)
    assert(lines() == old, 'the table of contents is not regenerated')
  end },
  { 'code lens', 'codeLensProvider', function()
    vim.lsp.codelens.refresh()
    eventually('a lens', function()
      return #vim.lsp.codelens.get(buffer) > 0
    end)
  end },
  { 'asking for findings', 'diagnosticProvider', nil },
}

local function run(row)
  local name, capability, act = row[1], row[2], row[3]
  if not act then
    return 'client cannot'
  end
  if capability and not client.server_capabilities[capability] then
    return 'server has not'
  end
  local is_done, problem = pcall(again)
  if is_done then
    is_done, problem = pcall(act)
  end
  has_failed = has_failed or not is_done
  return is_done and 'works' or ('FAILED: ' .. tostring(problem))
end

buffer = open(readme)
local is_started = vim.wait(20000, function()
  client = vim.lsp.buf_get_clients(buffer)[1]
  return client ~= nil
end, 20)
if not is_started then
  io.stderr:write('no client is attached\n')
  vim.cmd('cquit 1')
end
for _, row in ipairs(rows) do
  io.stdout:write(string.format('%-34s %s\n', row[1], run(row)))
end
vim.lsp.stop_client(client.id)
local has_ended = vim.wait(10000, function()
  return client.is_stopped()
end, 20)
io.stdout:write(string.format('%-34s %s\n', 'the server ends', has_ended and 'works' or 'FAILED'))
vim.cmd((has_failed or not has_ended) and 'cquit 1' or 'qall!')
