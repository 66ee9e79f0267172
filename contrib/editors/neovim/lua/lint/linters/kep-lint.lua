-- nvim-lint: the findings in the text of a buffer. Copy this file into ~/.config/nvim/lua/lint/linters/.

local severities = {
  error = vim.diagnostic.severity.ERROR,
  warning = vim.diagnostic.severity.WARN,
  suggestion = vim.diagnostic.severity.INFO,
}

-- The byte of a line, from 0 on, at which a character is, from 1 on.
local function byte_of(buffer, line, character)
  local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ''
  local byte = vim.fn.byteidxcomp(text, character - 1)
  return byte < 0 and #text or byte
end

local function parse(output, buffer)
  local found = {}
  for _, text in ipairs(vim.split(output, '\n')) do
    local line, column, severity, code, message =
      text:match('^.-:(%d+):(%d+): (%l+)%[([%l-]+)%] (.*)$')
    if severities[severity] then
      line = tonumber(line) - 1
      local byte = byte_of(buffer, line, tonumber(column))
      table.insert(found, {
        lnum = line,
        col = byte,
        end_lnum = line,
        end_col = byte,
        severity = severities[severity],
        source = 'kep-lint',
        code = code,
        message = message,
      })
    elseif text:match('^error: ') then
      -- The run could not be completed: without findings it is not clean.
      table.insert(found, {
        lnum = 0,
        col = 0,
        severity = vim.diagnostic.severity.ERROR,
        source = 'kep-lint',
        message = text,
      })
    end
  end
  return found
end

return {
  cmd = 'kep-lint',
  stdin = true,
  args = {
    '-',
    '--stdin-filename',
    function()
      return vim.api.nvim_buf_get_name(0)
    end,
    '--format',
    'concise',
    '--color',
    'never',
    '--quiet',
  },
  stream = 'both',
  ignore_exitcode = true,
  parser = parse,
}
