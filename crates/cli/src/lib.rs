//! The petite command.
