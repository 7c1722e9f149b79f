//! An agent that answers one prompt in a session of its own: it is started, heard to the end of its turn, and ended. What
//! it may do is what its profile says.

use crate::app::consent::Purpose;
use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{StartOrder, Sweep};
use crate::domain::agents::profile::Profile;
use crate::domain::agents::receipt::{WaitOutcome, WaitSeconds};
use crate::domain::agents::usage::UsageReport;
use crate::domain::agents::{AgentHandle, TurnHandle};

use super::asking::Confirmation;
use super::{Counter, can_ask, supervising, walled};
