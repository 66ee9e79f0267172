" Vim and Neovim: `:compiler! kep-lint`, then `:make` fills the quickfix list with findings, and `:make %` with those of
" the KEP of this file. Copy this file into ~/.config/nvim/compiler/ or ~/.vim/compiler/.

if exists('current_compiler')
  finish
endif
let current_compiler = 'kep-lint'

CompilerSet makeprg=kep-lint\ --format\ concise\ --color\ never\ --quiet
" Columns count characters. %v is a column of the screen: it differs only after tabs and wide characters, such as emoji.
" Lines that are no findings stay in the list, because they say why a run is not complete.
CompilerSet errorformat=%E%f:%l:%v:\ error%m,%W%f:%l:%v:\ warning%m,%I%f:%l:%v:\ suggestion%m
