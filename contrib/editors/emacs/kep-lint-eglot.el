;;; kep-lint-eglot.el --- Check KEPs while you write -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "26.3") (eglot "1.9"))

;;; Commentary:

;; Put this file into a directory of your `load-path', and this line into your init file:
;;
;;   (require 'kep-lint-eglot)

;;; Code:

(require 'eglot)

(defgroup kep-lint nil
  "Check Kubernetes Enhancement Proposals."
  :group 'tools)

(defcustom kep-lint-eglot-command '("kep-lint" "lsp")
  "The program, and its arguments."
  :type '(repeat string)
  ;; A repository must not name a program.
  :risky t)

(defcustom kep-lint-eglot-settings nil
  "What KEPs are checked by, such as (:stage \"beta\" :level \"warning\")."
  :type 'plist
  :risky t)

(defun kep-lint-eglot--contact (&rest _)
  "How eglot starts the server."
  (append kep-lint-eglot-command
          (and kep-lint-eglot-settings
               (list :initializationOptions kep-lint-eglot-settings))))

(add-to-list 'eglot-server-programs
             '((markdown-mode gfm-mode yaml-mode yaml-ts-mode) . kep-lint-eglot--contact))

(defun kep-lint-eglot-ensure ()
  "Start the server for a file of a KEP.  Not every Markdown file is one."
  (when (and buffer-file-name
             (string-match-p "/keps/" (expand-file-name buffer-file-name)))
    (eglot-ensure)))

(dolist (hook '(markdown-mode-hook yaml-mode-hook yaml-ts-mode-hook))
  (add-hook hook #'kep-lint-eglot-ensure))

(provide 'kep-lint-eglot)
;;; kep-lint-eglot.el ends here
