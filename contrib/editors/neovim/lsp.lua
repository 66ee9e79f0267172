-- Checks KEPs while you write, with Neovim's own client: 0.7 and newer, no plugin.
--
-- Copy this file to ~/.config/nvim/plugin/kep-lint.lua. Settings, such as a preview of what beta requires:
--
--   vim.g.kep_lint_settings = { stage = 'beta' }

-- One server for each repository; newer versions of Neovim keep this list themselves.
local clients = {}

local function on_attach(_, buffer)
  vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
  -- Newer versions have this key, and others, from the start.
  vim.keymap.set('n', 'K', vim.lsp.buf.hover, { buffer = buffer, desc = 'what the template asks for' })
end

local function attach(buffer)
  -- Not every Markdown file is part of a KEP.
  local root = vim.api.nvim_buf_get_name(buffer):match('^(.-)/keps/')
  if not root or vim.fn.executable('kep-lint') == 0 then
    return
  end
  local config = {
    name = 'kep-lint',
    cmd = { 'kep-lint', 'lsp' },
    cmd_cwd = root,
    root_dir = root,
    init_options = vim.g.kep_lint_settings or vim.empty_dict(),
    on_attach = on_attach,
    on_exit = function()
      clients[root] = nil
    end,
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    clients[root] = clients[root] or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'markdown', 'yaml' },
  callback = function(event)
    attach(event.buf)
  end,
})
