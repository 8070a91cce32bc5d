/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.simulate;

/**
 * What the HDDs of all nodes had to do for temporary files.
 *
 * @param seconds that they were at work, all added up
 * @param p95 the load that 95 of 100 minutes of a node do not exceed: the work that came up in the
 *     minute by what its HDDs can do, so that more than 1 is a queue
 */
record HddLoad(double seconds, double p95) {}
