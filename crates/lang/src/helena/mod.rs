//! Helena's net language and property language.
mod ast;
mod lexer;
mod parser;
mod preprocess;
